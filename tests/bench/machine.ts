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

/** Part of all processor time that was spent since the last call, by anybody. */
export function createBusyMeter(): () => number {
  let before = totals();
  return () => {
    const now = totals();
    const part = (now.busy - before.busy) / Math.max(1, now.all - before.all);
    before = now;
    return part;
  };
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

function totals(): { readonly busy: number; readonly all: number } {
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, ...rest] =
    (read("/proc/stat").split("\n")[0] ?? "")
      .split(/\s+/).slice(1, 9).map(Number);
  const busy = user + nice + system + rest.reduce((sum, value) => sum + value, 0);
  return { busy, all: busy + idle + wait };
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
