import assert from "node:assert/strict";
import { sealSecret } from "./seal_secret.ts";
import { StateError } from "./state_error.ts";

function inFolder(work: (dir: string) => void): void {
  const dir = Deno.makeTempDirSync({ prefix: "silverbridge-test-" });
  try {
    work(dir);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
}

Deno.test("sealSecret() makes a key of its own once, that nobody else may read, and then keeps to it", () => {
  inFolder((dir) => {
    const key = sealSecret({ dir, key: null });
    assert.match(key ?? "", /^[\w-]{43}$/);
    assert.equal(sealSecret({ dir, key: null }), key);
    assert.equal((Deno.statSync(`${dir}/state.key`).mode ?? 0) & 0o777, 0o600);
    assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name), ["state.key"]);
  });
});

Deno.test("sealSecret() goes by the operator's key and makes no file then, nor without a folder", () => {
  inFolder((dir) => {
    assert.equal(sealSecret({ dir, key: "of the operator" }), "of the operator");
    assert.deepEqual([...Deno.readDirSync(dir)], []);
    assert.equal(sealSecret({ dir: null, key: null }), null);
  });
});

Deno.test("sealSecret() never replaces what it cannot read, and names no path", () => {
  inFolder((dir) => {
    for (const content of ["", "x".repeat(2000)]) {
      Deno.writeTextFileSync(`${dir}/state.key`, content);
      assert.throws(
        () => sealSecret({ dir, key: null }),
        (error) => error instanceof StateError && !error.message.includes(dir),
      );
      assert.equal(Deno.readTextFileSync(`${dir}/state.key`), content);
    }
  });
});
