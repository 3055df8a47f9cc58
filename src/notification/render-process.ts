import { Script, createContext } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { failureOf } from './render-result.js';
import type { RenderAnswer, RenderJob, RenderResult } from './render-result.js';
import { compileTemplate, renderTemplate } from './template.js';
import type { CompiledTemplate, RenderContext } from './template.js';

/*
 * The process that renders templates which are not plain. `RenderChild` starts it, talks to it, and kills it when it does
 * not answer. It has no environment, no secrets and no connection but the one to its parent.
 */

/** After this long it gives way to other templates, between two messages. */
const TURN_MS = 100;

// LiquidJS looks at these between two tags and in some filters.
const LIMITS = { work: 20_000_000, milliseconds: 500 };

const compiled = new LRUCache<string, CompiledTemplate>({ max: 200 });

// LiquidJS cannot be stopped inside of a filter; `vm` stops any JavaScript. It also keeps this process from running
// on alone when its parent was killed in the middle of an endless template.
const sandbox = createContext({ run: () => undefined });
const script = new Script('run()');

function render(job: RenderJob, context: RenderContext): RenderResult {
  try {
    const template = compiled.get(job.key) ?? compileTemplate(job.parts);
    compiled.set(job.key, template);
    sandbox.run = () => renderTemplate(template, context, LIMITS);
    const message = script.runInContext(sandbox, { timeout: job.slowMs }) as ReturnType<typeof renderTemplate>;
    return { ok: true, message };
  } catch (error) {
    return failureOf(error);
  }
}

async function work(job: RenderJob): Promise<void> {
  const start = performance.now();
  for (const context of job.contexts) {
    // Written before the next one starts: the parent knows by the first missing answer which message killed us.
    await answer(render(job, context));
    if (performance.now() - start > TURN_MS) break;
  }
  await answer('done');
}

function answer(message: RenderAnswer): Promise<void> {
  return new Promise((done) => process.send?.(message, undefined, undefined, () => done()));
}

process.on('message', (job: RenderJob) => void work(job));
process.on('disconnect', () => process.exit());
void answer('ready');
