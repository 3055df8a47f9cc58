import type { SimulatedMessage, SimulatedRule, Simulation } from '../../../../../clients/typescript/src/schema.js';
import { visible, visibleLines } from '../../../../platform/config/visible.js';
import { mailHead } from '../../print/mail-head.js';
import { print } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import type { RemoteOptions } from '../options.js';
import { eventPath } from '../path.js';
import { triggerBody } from './trigger-body.js';
import type { TriggerBodyOptions } from './trigger-body.js';

export interface SimulateOptions extends RemoteOptions, PrintOptions, TriggerBodyOptions {
  at?: string;
}

export async function simulate(event: string, options: SimulateOptions): Promise<void> {
  const path = `${eventPath(event)}simulate/`;
  const client = new RemoteClient(requireService(options));
  const body = { ...(await triggerBody(options)), ...(options.at !== undefined && { at: options.at }) };
  const simulation = await client.send<Simulation>('POST', path, { body });
  await print(options, simulation, textOf(simulation));
}

function textOf({ rules, totals, messages, warnings }: Simulation): string {
  const kept = gates(totals.gates);
  return [
    ...rules.flatMap(ruleLines),
    `${counted(totals.messages, 'message')} to ${counted(totals.people, 'user')}${kept && `; kept back: ${kept}`}`,
    ...messages.flatMap(messageLines),
    ...warnings.map(({ notification, channel, detail }) => {
      const about = [notification, channel].filter((name) => name !== null).join(', ');
      return `warning: ${about && `${visible(about)}: `}${visible(detail)}`;
    }),
  ].join('\n');
}

function ruleLines({ notification, verdict, reason, channels }: SimulatedRule): string[] {
  const lines = channels.map(({ channel, per, verdict: open, people, gates: kept, send }) => {
    const whom =
      per === 'room'
        ? `${counted(send, 'post')} to the room`
        : `${counted(send, 'message')} to ${counted(people, 'user')}`;
    const why = open === 'open' ? gates(kept) : open;
    return `  ${visible(channel ?? '(deleted)')}: ${whom}${why && ` (${why})`}`;
  });
  return [`${visible(notification)}: ${verdict}${reason === null ? '' : `: ${visible(reason)}`}`, ...lines];
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const gates = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([gate, count]) => `${gate} ${count}`)
    .join(', ');

function messageLines(message: SimulatedMessage): string[] {
  const { channel, user, recipient, text, problem, until } = message;
  const to = visible(user ?? (recipient || 'the room'));
  const head = `--- ${visible(channel)} to ${to}${until === null ? '' : `, at ${until}`}`;
  if (problem !== null) return [head, `cannot be sent: ${visible(problem)}`];
  return [head, ...mailHead(message), visibleLines(text)];
}
