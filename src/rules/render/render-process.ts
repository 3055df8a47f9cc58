import '../../platform/config/no-debugger.js';
import { Script, createContext } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { compileTemplate, renderTemplate } from '../template/template.js';
import type { CompiledTemplate, RenderContext } from '../template/template.js';
import { inspectTemplate } from '../template/template-fields.js';
import { failureOf, isTimeout } from './render-result.js';
import type { InspectJob, RenderAnswer, RenderJob, RenderResult } from './render-result.js';

/*
 * The process that renders templates which are not plain. `RenderChild` starts it, talks to it, and kills it when it does
 * not answer. It has no environment, no secrets, and no connection except the one to its parent.
 */

/** After this time, and between two messages, another template gets its turn. */
const TURN_MS = 100;

/** Results are sent in batches of this time: single results would cost the parent more than rendering them itself. */
const SEND_MS = 20;

const LIMITS = { work: 20_000_000 };

/**
 * On a busy machine a message may get too little CPU time to end in time. Then it is tried again with twice the time, unless all tries together
 * used most of the CPU time that a message may use. Three tries take five seconds: so long the others wait for a template that is endless.
 */
const MAX_TRIES = 3;
const MOST_OF_IT = 0.8;

/** The tries of one message that got too little CPU time. */
interface Starved {
  tries: number;
  cpuMs: number;
}

const NOT_STARVED: Starved = { tries: 0, cpuMs: 0 };

const compiled = new LRUCache<string, CompiledTemplate>({ max: 200 });

/*
 * LiquidJS cannot be stopped inside a filter; the timeout of `vm` stops any JavaScript. It also ends an endless template
 * after the parent was killed. The timeout costs a thread (0.1 ms and more), so several messages share one.
 */
const sandbox = createContext({ run: () => undefined });
const script = new Script('run()');

/**
 * Adds results until it is time to send them, all messages are done, or one took too long. Takes and returns the tries of the next message, if
 * it got too little CPU time.
 */
function render(job: RenderJob, results: RenderResult[], starved: Starved): Starved {
  const start = performance.now();
  const first = results.length;
  let before = process.cpuUsage();
  sandbox.run = () => {
    while (results.length < job.contexts.length) {
      results.push(renderOne(job, job.contexts[results.length] as RenderContext));
      before = process.cpuUsage();
      if (job.careful || performance.now() - start > SEND_MS) return;
    }
  };
  try {
    script.runInContext(sandbox, { timeout: (job.slowMs + SEND_MS) * (starved.tries > 0 ? 2 : 1) });
  } catch (error) {
    const { tries, cpuMs } = results.length > first ? NOT_STARVED : starved;
    const now = { tries: tries + 1, cpuMs: cpuMs + cpuMsSince(before) };
    if (isTimeout(error) && now.tries < MAX_TRIES && now.cpuMs < job.slowMs * MOST_OF_IT) return now;
    if (results.length < job.contexts.length) results.push(failureOf(error));
  }
  return NOT_STARVED;
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function renderOne(job: RenderJob, context: RenderContext): RenderResult {
  try {
    const template = compiled.get(job.key) ?? compileTemplate(job.parts);
    compiled.set(job.key, template);
    return { ok: true, message: renderTemplate(template, context, LIMITS) };
  } catch (error) {
    return failureOf(error);
  }
}

async function work(job: RenderJob): Promise<void> {
  const start = performance.now();
  const results: RenderResult[] = [];
  let starved = NOT_STARVED;
  while (results.length < job.contexts.length && (starved !== NOT_STARVED || performance.now() - start < TURN_MS)) {
    const sent = results.length;
    starved = render(job, results, starved);
    await answer(results.slice(sent)); // if there are none, it still says that we live
  }
  await answer('done');
}

function answer(message: RenderAnswer): Promise<void> {
  return new Promise((done) => process.send?.(message, undefined, undefined, () => done()));
}

async function inspect({ inspect: parts, contexts }: InspectJob): Promise<void> {
  await answer(inspectTemplate(parts, contexts));
  await answer('done');
}

process.on('message', (job: RenderJob | InspectJob) => void ('inspect' in job ? inspect(job) : work(job)));
process.on('disconnect', () => process.exit());
void answer('ready');
