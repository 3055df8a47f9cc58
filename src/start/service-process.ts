import { on } from 'node:events';
import { describeError } from '../config/describe-error.js';
import type { Answer, Assignment, Word } from './processes.js';
import { stopSignal } from './running.js';

/*
 * One of several processes that run the service, started by `processes.ts`. It is told what to run, says that it runs, and is
 * told to stop. When the process that started it is gone, cluster ends this one at once.
 */

const heard = on(process, 'message');
// A Ctrl-C at a terminal reaches all processes of the command: whoever says so first, it stops once.
const stopSaid = stopSignal();
say('ready');
const { config, database } = (await next()) as Assignment;
const stopping = Promise.race([stopSaid, untilToldToStop()]);
// Loaded late: a word, or a signal, that comes before somebody listens is lost.
const { startService } = await import('./service.js');
const service = await startService(config, database).catch(giveUp);
say({ demoKey: service.demoKey });
await stopping;
await service.stop();
process.exit();

async function untilToldToStop(): Promise<void> {
  // It is asked only after it said that it runs.
  while ((await next()) === 'measure') void service.measure().then(([measured]) => say({ measured: measured! }));
}

async function next(): Promise<unknown> {
  const { value } = await heard.next();
  return (value as unknown[])[0];
}

/** Ends only when it is told to: by then what it said is heard. */
async function giveUp(error: unknown): Promise<never> {
  say({ error: describeError(error) });
  await stopping;
  process.exit(1);
}

function say(word: 'ready' | Word | Answer): void {
  process.send!(word);
}
