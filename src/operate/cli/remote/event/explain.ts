import type { ExplainedUser, ExplainedTotals } from '../../../../../clients/typescript/src/schema.js';
import { visible } from '../../../../platform/config/visible.js';
import { print } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import type { RemoteOptions } from '../options.js';
import { api, namesIn } from '../path.js';

export interface ExplainOptions extends RemoteOptions, PrintOptions {
  user?: string;
}

export async function explain(path: string, options: ExplainOptions): Promise<void> {
  const [organization, occurrence] = namesIn(path, ['organization', 'occurrence']) as [string, string];
  const client = new RemoteClient(requireService(options));
  const explained = await client.send<ExplainedUser | ExplainedTotals>(
    'GET',
    api`/api/o/${organization}/occurrences/${occurrence}/explain/`,
    { query: { user: options.user } },
  );
  const lines = explained.rules.flatMap(linesOf);
  await print(options, explained, [visible(explained.sentence), ...lines].join('\n'));
}

type Rule = ExplainedUser['rules'][number] | ExplainedTotals['rules'][number];

/** The sentence of a notification says the same as that of its only channel. */
function linesOf(rule: Rule): string[] {
  const channels = 'channels' in rule && rule.channels.length > 1 ? rule.channels : [];
  return [
    `- ${visible(rule.notification)}: ${visible(rule.sentence)}`,
    ...channels.map(({ channel, sentence }) => `  - ${visible(channel ?? '(deleted)')}: ${visible(sentence)}`),
  ];
}
