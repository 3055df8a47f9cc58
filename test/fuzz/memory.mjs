import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';

const MB = 2 ** 20;
const REST_MS = 2000;
/** Caches fill up in the first half of a run. More than this in the second half is a leak. */
const MOST_GROWTH_MB = 24;
const MOST_GROWTH = 1.25;

/** The memory of a process of the service, as its debugger sees it after a full collection of garbage. */
export class Memory {
  #service;
  #url;

  constructor(service) {
    this.#service = service;
  }

  /** @returns {Promise<{ heapMb: number, rssMb: number }>} */
  async measure(restMs = REST_MS) {
    await sleep(restMs);
    this.#url ??= await findInspector(this.#service);
    const heapMb = (await askInspector(this.#url)) / MB;
    return { heapMb, rssMb: rssOf(this.#service.pid) / MB };
  }
}

/** What is wrong with the memory in the middle and at the end of a run, or null. */
export function growthProblem(middle, end) {
  const most = middle.heapMb * MOST_GROWTH + MOST_GROWTH_MB;
  if (end.heapMb <= most) return null;
  return `${middle.heapMb.toFixed(0)} MB of heap in the middle, ${end.heapMb.toFixed(0)} MB at the end (at most ${most.toFixed(0)})`;
}

/** The service was started with `--inspect=127.0.0.1:0`: Node opens its debugger at a free port and prints the address. */
async function findInspector({ logFile }) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    const [url] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(readFileSync(logFile, 'utf8')) ?? [];
    if (url) return url;
  }
  throw new Error('the debugger of the service is not open: start it with --inspect=127.0.0.1:0');
}

/** Bytes of heap in use after a collection. */
function askInspector(url) {
  const questions = ['HeapProfiler.collectGarbage', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const ask = (id) => socket.send(JSON.stringify({ id, method: questions[id] }));
    socket.addEventListener('open', () => ask(0));
    socket.addEventListener('error', () => reject(new Error('the debugger of the service does not answer')));
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(data);
      if (id === undefined) return;
      if (id < questions.length - 1) return ask(id + 1);
      resolve(result.usedSize);
      socket.close();
    });
  });
}

function rssOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
  } catch {
    return NaN; // only Linux tells
  }
}
