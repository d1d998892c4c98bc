import assert from "node:assert/strict";
import { growingProgress } from "./growing_progress.ts";

Deno.test("growingProgress() counts on from stage to stage, and never back", () => {
  const told: string[] = [];
  const report = growingProgress(({ done, total, message }) => told.push(`${message} ${done}/${total}`));
  for (const done of [100, 200]) report?.({ done, total: 250, message: "Reading" });
  for (const done of [1, 3, 2]) report?.({ done, total: 3, message: "Changing" });
  assert.deepEqual(told, [
    "Reading 100/250",
    "Reading 200/250",
    "Changing 201/203",
    "Changing 203/203",
    "Changing 203/203",
  ]);
  assert.equal(growingProgress(undefined), undefined);
});
