import '../config/no-debugger.js';
import { Script, createContext } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { compileTemplate, renderTemplate } from '../template/template.js';
import type { CompiledTemplate, RenderContext } from '../template/template.js';
import { failureOf } from './render-result.js';
import type { RenderAnswer, RenderJob, RenderResult } from './render-result.js';

/*
 * The process that renders templates which are not plain. `RenderChild` starts it, talks to it, and kills it when it does
 * not answer. It has no environment, no secrets, and no connection except the one to its parent.
 */

/** After this time, and between two messages, another template gets its turn. */
const TURN_MS = 100;

/** Results are sent in batches of this time: single results would cost the parent more than rendering them itself. */
const SEND_MS = 20;

// LiquidJS checks these limits between two tags and in some filters.
const LIMITS = { work: 20_000_000, milliseconds: 500 };

const compiled = new LRUCache<string, CompiledTemplate>({ max: 200 });

/*
 * LiquidJS cannot be stopped inside a filter; the timeout of `vm` stops any JavaScript. It also ends an endless template
 * after the parent was killed. The timeout costs a thread (0.1 ms and more), so several messages share one.
 */
const sandbox = createContext({ run: () => undefined });
const script = new Script('run()');

/** Adds results until it is time to send them, all messages are done, or one took too long. */
function render(job: RenderJob, results: RenderResult[]): void {
  const start = performance.now();
  sandbox.run = () => {
    while (results.length < job.contexts.length) {
      results.push(renderOne(job, job.contexts[results.length] as RenderContext));
      if (job.careful || performance.now() - start > SEND_MS) return;
    }
  };
  try {
    script.runInContext(sandbox, { timeout: job.slowMs + SEND_MS });
  } catch (error) {
    if (results.length < job.contexts.length) results.push(failureOf(error));
  }
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
  while (results.length < job.contexts.length && performance.now() - start < TURN_MS) {
    const sent = results.length;
    render(job, results);
    await answer(results.slice(sent));
  }
  await answer('done');
}

function answer(message: RenderAnswer): Promise<void> {
  return new Promise((done) => process.send?.(message, undefined, undefined, () => done()));
}

process.on('message', (job: RenderJob) => void work(job));
process.on('disconnect', () => process.exit());
void answer('ready');
