import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Gate } from '../../platform/database/generated/prisma/enums.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { choicesOf } from '../../rules/ruleset/choices.js';
import type { Digest } from '../../rules/ruleset/message.js';
import { ruleOf } from '../../rules/ruleset/rule.js';
import type { FreshTarget } from '../deliver/send-fresh.js';
import { BatchLoader } from './batch-loader.js';
import type { LoadedOccurrence } from './batch-loader.js';
import type { BatchChannel, Expanded, MadeRow, WaitingRow } from './expand-small-rows.js';
import { freshTarget } from './fresh-targets.js';
import { RECHECK_DIGESTS } from './load-digests.sql.js';

/** An occurrence that carries a digest, and where its only delivery goes. */
type Carrier = LoadedOccurrence & { digest: Digest; target: { notification: number; channel: number } };

type CheckedRow = (MadeRow | WaitingRow) & { gate: Gate | null };

/** Digests that were just closed: they are sent from memory, many at once, like the messages of small occurrences. */
@Injectable()
export class ClosedDigests {
  constructor(
    private readonly database: Database,
    private readonly loader: BatchLoader,
    private readonly telemetry: Telemetry,
  ) {}

  /** The messages to send now. A digest that cannot be sent now is left to a deliver job. */
  async load(ids: string[]): Promise<Expanded> {
    const { occurrences, channels } = await this.loader.digests(ids);
    const carriers = new Map(occurrences.map(carrierOf).map((carrier) => [carrier.occurrence.id, carrier]));
    const targets: FreshTarget[] = [];
    const waiting: WaitingRow[] = [];
    for (const row of await this.recheck([...carriers.values()], channels)) {
      const { event, rules, occurrence, digest } = carriers.get(row.occurrence)!;
      const channel = channels.get(row.channel);
      if (row.gate !== null) this.telemetry.metrics?.delivered(channel?.type ?? '', 'skipped', 1);
      else if (row.id === null || !channel) waiting.push({ ...row, id: null });
      else targets.push(freshTarget(row, { occurrence, event, rules, digest }, channel));
    }
    return { targets, waiting };
  }

  private async recheck(carriers: Carrier[], channels: Map<number, BatchChannel>): Promise<CheckedRow[]> {
    const targets = carriers.map(({ occurrence, event, rules, target, digest }) => ({
      occurrence: occurrence.id,
      ...target,
      ...choicesOf(event.recipients, {
        eventId: event.id,
        channelType: channels.get(target.channel)?.type ?? '',
        rule: ruleOf(rules, target),
        context: occurrence.context,
        options: occurrence.options,
        digest,
      }),
    }));
    return (await this.database.query<CheckedRow>('recheck-digests', RECHECK_DIGESTS, [JSON.stringify(targets)])).rows;
  }
}

function carrierOf({ occurrence, ...loaded }: LoadedOccurrence): Carrier {
  const { digest, target } = occurrence;
  return { ...loaded, occurrence, digest: digest!, target: target! };
}
