import '../../platform/config/no-debugger.js';
import { on } from 'node:events';
import { describeError } from '../../platform/config/describe-error.js';
import type { Assignment, MetricsAnswer, StartResult } from './processes.js';
import { stopSignal } from './running.js';

/*
 * One of several processes that run the service, started by `processes.ts`. It gets its assignment, reports its start, and stops when
 * it is told to. When the process that started it is gone, cluster ends this one at once.
 */

const messages = on(process, 'message');
// Ctrl-C at a terminal reaches all processes of the command: the first of signal and message stops this one.
const signaled = stopSignal();
send('ready');
const { config, database } = (await next()) as Assignment;
const stopping = Promise.race([signaled, untilToldToStop()]);
// Imported late: a message or signal that arrives before the listeners above are there is lost.
const { startService } = await import('./service.js');
const service = await startService(config, database).catch(giveUp);
send({ demoKey: service.demoKey, link: service.link });
await stopping;
await service.stop();
process.exit();

async function untilToldToStop(): Promise<void> {
  // `measure` comes only after this process has reported its start.
  while ((await next()) === 'measure') void service.measure().then(([measured]) => send({ measured: measured! }));
}

async function next(): Promise<unknown> {
  const { value } = await messages.next();
  return (value as unknown[])[0];
}

/** Reports the error and waits for `stop`: by then the message has arrived. */
async function giveUp(error: unknown): Promise<never> {
  send({ error: describeError(error) });
  await stopping;
  process.exit(1);
}

function send(message: 'ready' | StartResult | MetricsAnswer): void {
  process.send!(message);
}
