import type { Command } from 'commander';
import { Option } from 'commander';
import { JSON_INPUT, readJson, readNames } from '../json-input.js';

/** What `trigger` and `simulate` have in common. */
export interface TriggerBodyOptions {
  context?: string;
  recipients?: string;
  limitTo?: string;
  rooms?: boolean;
  channels?: string;
  sendAt?: string;
  expiresAt?: string;
  priority?: string;
}

export const withTriggerBody = (command: Command) =>
  command
    .option('--context <json>', `data for conditions and templates: ${JSON_INPUT}`)
    .option(
      '--recipients <users>',
      `users of notifications with "to: recipients": usernames with commas, or ${JSON_INPUT}`,
    )
    .option('--limit-to <users>', 'only these users: usernames with commas')
    .option('--rooms', 'with --limit-to: post to rooms, too')
    .option('--channels <channels>', 'only these channels: slugs with commas')
    .option('--send-at <time>', 'not before this time, such as 2030-01-01T08:00:00Z; or JSON')
    .option('--expires-at <time>', 'not after this time')
    .addOption(
      new Option('--priority <priority>', 'critical also needs its own permission').choices([
        'critical',
        'normal',
        'bulk',
      ]),
    );

/** The body of the request. The service checks it. */
export async function triggerBody(options: TriggerBodyOptions): Promise<Record<string, unknown>> {
  const { context, recipients, limitTo, rooms, channels, sendAt, expiresAt, priority } = options;
  const wanted = {
    recipients: recipients === undefined ? undefined : await readNames('--recipients', recipients),
    limit_to: limitTo === undefined ? undefined : await readNames('--limit-to', limitTo),
    rooms,
    channels: channels === undefined ? undefined : await readNames('--channels', channels),
    send_at: sendAt?.startsWith('{') ? await readJson('--send-at', sendAt) : sendAt,
    expires_at: expiresAt,
    priority,
  };
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return {
    ...(context !== undefined && { context: await readJson('--context', context) }),
    ...(given.length > 0 && { options: Object.fromEntries(given) }),
  };
}
