import { Command } from 'commander';
import { withJson } from '../../print/print.js';
import type { ExplainOptions } from '../event/explain.js';
import type { SimulateOptions } from '../event/simulate.js';
import type { TailOptions } from '../event/tail.js';
import { withTriggerBody } from '../event/trigger-body.js';
import type { TriggerCommandOptions } from '../event/trigger.js';
import { withServiceOptions } from '../options.js';

const EVENT = 'the event, such as acme/shop/web/order-paid';

export function triggerCommand(): Command {
  const command = new Command('trigger')
    .description('trigger an event; prints the occurrence, for `carillon explain`')
    .argument('<event>', EVENT);
  withTriggerBody(command)
    .option('--idempotency-key <key>', 'the same key triggers the event only once')
    .option(
      '--attach <file>',
      'upload a file and attach it; may be given again',
      (file, all: string[]) => [...all, file],
      [],
    )
    .option('--strict', 'refuse a context that lacks fields which the notifications need')
    .option('--strict-recipients', 'refuse names that are not users')
    .option('--wait', 'wait until everything is sent; the exit code is 2 if something was not')
    .option('--timeout <seconds>', 'with --wait: how long', '300');
  return withServiceOptions(withJson(command)).action(async (event: string, options: TriggerCommandOptions) =>
    (await import('../event/trigger.js')).trigger(event, options),
  );
}

export function simulateCommand(): Command {
  const command = new Command('simulate')
    .description('show what a trigger would send, without sending anything')
    .argument('<event>', EVENT);
  withTriggerBody(command).option('--at <time>', 'time of the simulated trigger (default: now)');
  return withServiceOptions(withJson(command)).action(async (event: string, options: SimulateOptions) =>
    (await import('../event/simulate.js')).simulate(event, options),
  );
}

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('explain what an occurrence has sent, and why somebody got no message')
    .argument('<occurrence>', 'as `carillon trigger` prints it: acme/0197f3a0-5c1e-7d8e-9b1a-2f6d0c3b4a59')
    .option('--user <username>', 'only for this user, in detail');
  return withServiceOptions(withJson(command)).action(async (occurrence: string, options: ExplainOptions) =>
    (await import('../event/explain.js')).explain(occurrence, options),
  );
}

export function tailCommand(): Command {
  const command = new Command('tail')
    .description('print occurrences as they are triggered, until Ctrl-C')
    .argument('<path>', 'acme, acme/shop, acme/shop/web, or acme/shop/web/order-paid')
    .option('--last <number>', 'first print this many that exist already', '10')
    .option('--count <number>', 'end after this many')
    .option('--interval <seconds>', 'time between two requests', '1')
    .option('--reconnect <seconds>', 'how long to try again if the service does not answer', '300')
    .option('--json', 'print JSON, one line for each occurrence');
  return withServiceOptions(command).action(async (path: string, options: TailOptions) =>
    (await import('../event/tail.js')).tail(path, options),
  );
}
