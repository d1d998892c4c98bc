/** Several steps of a move at once. */

/** Pages changed at once. */
const parallelSteps = 4;

/** Runs `work` over the items; stops at the first failure, once those in hand have ended, and throws it. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  await Promise.all(Array.from({ length: parallelSteps }, async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).catch((error) => failures.push(error));
    }
  }));
  if (failures.length > 0) throw failures[0];
}
