/** What the system tells of a process and of itself; Linux only, elsewhere everything is unknown. */

const ticksPerSecond = 100;

/** Processor time that a process has used so far, in seconds, user and system together. */
export function cpuSeconds(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory in megabytes. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1000;
}

/** Processor time that everybody used together since the last call, in seconds. */
export function createBusyMeter(): () => number {
  let before = busyTicks();
  return () => {
    const now = busyTicks();
    const seconds = (now - before) / ticksPerSecond;
    before = now;
    return seconds;
  };
}

export interface Undisturbed<T> {
  readonly result: T;
  /** Processor time of programs that have nothing to do with the measurement, in percent of one core. */
  readonly others: number;
}

const tries = 4;
const bearable = 10;

/**
 * Measures up to four times and keeps the time in which others used the processor least: whoever shares the machine
 * disturbs some of the times, seldom all. `own` tells what the measurement itself has used so far, in seconds.
 */
export async function leastDisturbed<T>(
  measure: () => Promise<{ readonly result: T; readonly own: number }>,
): Promise<Undisturbed<T>> {
  let best: Undisturbed<T> | null = null;
  for (let round = 0; round < tries && (best === null || best.others > bearable); round++) {
    const busy = createBusyMeter();
    const begun = performance.now();
    const { result, own } = await measure();
    const seconds = (performance.now() - begun) / 1000;
    const others = Math.max(0, Math.round((busy() - own) / seconds * 100));
    if (best === null || others < best.others) best = { result, others };
  }
  if (best === null) throw new TypeError("At least one try");
  return best;
}

/** The load averages, and a warning where they say that figures will be worse than the program is. */
export function describeMachine(): string {
  const load = read("/proc/loadavg").split(" ").slice(0, 3).join(" ");
  const cores = navigator.hardwareConcurrency;
  const line = `${cores} cores, Deno ${Deno.version.deno}, load average ${load || "unknown"}`;
  const busy = Number(load.split(" ")[0]) > cores / 2;
  return busy ? `${line}\nWARNING: the machine is busy with other things, so the figures are too low` : line;
}

/** Resolves once the process has been idle for a second, or when the time is up. Answers how long that took. */
export async function settled(pid: number, limitMs: number): Promise<number> {
  const begun = performance.now();
  let quiet = 0;
  while (quiet < 2 && performance.now() - begun < limitMs) {
    const before = cpuSeconds(pid);
    await new Promise((resolve) => setTimeout(resolve, 500));
    quiet = cpuSeconds(pid) - before <= 0.03 ? quiet + 1 : 0;
  }
  return (performance.now() - begun) / 1000;
}

function busyTicks(): number {
  const [user = 0, nice = 0, system = 0, , , ...rest] = (read("/proc/stat").split("\n")[0] ?? "")
    .split(/\s+/).slice(1, 9).map(Number);
  return user + nice + system + rest.reduce((sum, value) => sum + value, 0);
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
