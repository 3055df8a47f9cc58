// Reads CPU time and memory of processes from the kernel. Linux only: elsewhere the values are NaN, and shown as a dash.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10; // the kernel counts in hundredths of a second, whatever its own timer
const SAMPLE_MS = 100;

const isKnown = existsSync('/proc/self/stat');

function read(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may itself contain brackets and spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return {
      pid,
      parent: fields[1],
      ownMs: (fields[11] + fields[12]) * TICK_MS,
      reapedMs: (fields[13] + fields[14]) * TICK_MS,
    };
  } catch {
    return null; // the process has just ended
  }
}

/** User and system time of these processes and their descendants, including descendants that have ended. */
export function cpuMs(pids) {
  if (!isKnown) return NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => read(Number(name)))
    .filter(Boolean);
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  const counted = pids.flatMap((pid) => [...all.filter((each) => each.pid === pid), ...below(pid)]);
  return counted.reduce((sum, { ownMs, reapedMs }) => sum + ownMs + reapedMs, 0);
}

function residentMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return NaN; // not Linux, or the process has ended, which is noticed elsewhere
  }
}

/**
 * Samples the resident memory of processes until `stop` is called.
 * @param {Record<string, number>} pids by name
 * @returns {{ stop(): Record<string, { beforeMb: number, maxMb: number }> }}
 */
export function watchMemory(pids) {
  const memory = Object.entries(pids).map(([name, pid]) => ({
    name,
    pid,
    beforeMb: residentMb(pid),
    maxMb: residentMb(pid),
  }));
  const timer = setInterval(() => {
    for (const each of memory) each.maxMb = Math.max(each.maxMb, residentMb(each.pid));
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return Object.fromEntries(memory.map(({ name, beforeMb, maxMb }) => [name, { beforeMb, maxMb }]));
    },
  };
}
