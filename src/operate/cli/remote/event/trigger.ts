import type { OccurrenceDetail, Triggered } from '../../../../../clients/typescript/src/schema.js';
import { visible } from '../../../../platform/config/visible.js';
import { CommandError, print } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import type { RemoteOptions } from '../options.js';
import { eventPath } from '../path.js';
import { attach } from './attach.js';
import { triggerBody } from './trigger-body.js';
import type { TriggerBodyOptions } from './trigger-body.js';
import { seconds, waitUntilDone } from './wait.js';

export interface TriggerCommandOptions extends RemoteOptions, PrintOptions, TriggerBodyOptions {
  idempotencyKey?: string;
  attach?: string[];
  strict?: boolean;
  strictRecipients?: boolean;
  wait?: boolean;
  timeout: string;
}

/** Exit code of --wait if not everything was sent, for scripts. */
const NOT_DELIVERED = 2;

export async function trigger(event: string, options: TriggerCommandOptions): Promise<void> {
  const path = eventPath(event);
  const [organization] = event.split('/') as [string];
  const timeout = seconds('--timeout', options.timeout);
  const client = new RemoteClient(requireService(options));
  const { occurrence, replayed, unknownUsers } = await send(client, organization, path, options);
  if (unknownUsers.length > 0) warn(`not users: ${unknownUsers.join(', ')}`);
  const sent = { occurrence, path: `${organization}/${occurrence}`, replayed, unknown_users: unknownUsers };
  if (!options.wait) return print(options, sent, sent.path);
  const outcome = await waitUntilDone(client, organization, occurrence, timeout);
  const { status, done, counts, warnings } = outcome;
  for (const { detail } of warnings) warn(detail);
  await print(options, { ...sent, status, done, counts, warnings }, `${sent.path}\n${outcomeText(outcome)}`);
  if (status !== 'expanded' || !done || counts.dead > 0) process.exitCode = NOT_DELIVERED;
}

async function send(client: RemoteClient, organization: string, path: string, options: TriggerCommandOptions) {
  const { idempotencyKey, strict, strictRecipients } = options;
  if (idempotencyKey === '') throw new CommandError('--idempotency-key must not be empty');
  // Each run would upload the files again, and so have another body.
  if (idempotencyKey !== undefined && options.attach?.length)
    throw new CommandError(
      '--attach cannot be used with --idempotency-key: use curl or the client, with the id of one upload for all attempts',
    );
  const body = await triggerBody(options);
  if (options.attach?.length)
    body.options = {
      ...(body.options as object | undefined),
      attachments: await attach(client, organization, options.attach),
    };
  const response = await client.open('POST', `${path}trigger/`, {
    body,
    query: { strict: strict ? 1 : undefined, recipients: strictRecipients ? 'strict' : undefined },
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
  const { occurrence } = (await response.json()) as Triggered;
  const replayed = response.headers.get('Idempotent-Replayed') === 'true';
  return { occurrence, replayed, unknownUsers: response.headers.get('Unknown-Users')?.split(/, */) ?? [] };
}

const warn = (text: string) => process.stderr.write(`warning: ${visible(text)}\n`);

function outcomeText({ status, done, counts, problem }: OccurrenceDetail): string {
  const { sent, skipped, dead, pending } = counts;
  const numbers = `${sent} sent, ${skipped} skipped, ${dead} dead, ${pending} pending`;
  if (status === 'held') return `held: it would reach more users than the event allows. Approve or cancel it`;
  if (status === 'failed') return `failed: ${visible(problem ?? 'the recipients could not be resolved')}`;
  if (status === 'canceled') return `canceled: ${numbers}`;
  return done ? numbers : `not finished in time: ${numbers}`;
}
