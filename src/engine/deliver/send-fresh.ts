import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { Database } from '../../platform/database/database.js';
import type { MessageRecipient } from '../../rules/ruleset/message.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import type { TraceSpan } from '../../platform/telemetry/traces.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { prepareChunk } from './chunk.js';
import type { SharedRow } from './chunk.js';
import { Circuit } from './circuit.js';
import type { CircuitState } from './circuit.js';
import { USERS_AT_ONCE } from './deliver-chunk.sql.js';
import { DeliveryWatch } from './delivery-watch.js';
import type { SendGroup, PartDelivery } from './send-group.js';
import { SendPool, jitterMs } from './send-pool.js';

type ChannelRow = Pick<SharedRow, 'name' | 'type' | 'config' | 'projectId' | 'organizationId' | 'fallback'> &
  CircuitState & { id: number; slug: string };

/** The deliveries of one rule and channel of an occurrence, just made. */
export interface FreshTarget {
  occurrence: string;
  notification: number;
  channel: ChannelRow;
  /** Whether its notification or its channel is switched off. */
  isOff: boolean;
  shared: Omit<SharedRow, keyof ChannelRow | 'status' | 'off'>;
  recipients: MessageRecipient[];
}

/** A target with deliveries that still wait. */
export interface UnsentDelivery {
  target: FreshTarget;
  /** The least time that they must wait. */
  waitMs: number;
}

interface FreshPart {
  target: FreshTarget;
  part: SendGroup;
  span: TraceSpan | undefined;
}

/**
 * Sends deliveries that were just made, from memory, those of one channel together whichever occurrence they belong to. What it cannot
 * send at once is left to deliver jobs: they know about probes, pauses and channels that cannot be used.
 */
@Injectable()
export class SendFresh {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly telemetry: Telemetry,
    private readonly sending: SendPool,
  ) {}

  /** Calls `ended` once for each target, with what was not sent. */
  send(
    targets: FreshTarget[],
    stopping: AbortSignal,
    ended: (target: FreshTarget, unsent?: UnsentDelivery) => void,
  ): void {
    const byChannel = new Map<number, FreshPart[]>();
    for (const target of targets) {
      const fresh = target.isOff ? undefined : this.prepare(target);
      if (!fresh) {
        ended(target, { target, waitMs: 0 });
        continue;
      }
      const same = byChannel.get(target.channel.id);
      if (same) same.push(fresh);
      else byChannel.set(target.channel.id, [fresh]);
    }
    for (const parts of byChannel.values()) void this.sendOver(parts, stopping, ended);
  }

  /** Undefined when the channel cannot be used. */
  private prepare(target: FreshTarget): FreshPart | undefined {
    const { occurrence, notification, channel, shared } = target;
    const place = { occurrence, notification, channel: channel.id, template: channel.id };
    const row: SharedRow = { ...shared, ...channel, status: 'expanded', off: null };
    const chunk = prepareChunk(place, row, this.dispatchers, this.secrets);
    if ('problem' in chunk) return undefined;
    const span = this.telemetry.traces?.start('deliver', occurrence);
    span?.add({ 'carillon.organization': shared.organization.slug, 'carillon.channel.type': channel.type });
    const origin = { organization: shared.organization.slug, channel: channel.slug, occurrence };
    const watch = new DeliveryWatch(channel.type, origin, this.telemetry.failures, this.telemetry.metrics, span);
    const { statusWebhook, options } = shared;
    const part = this.sending.part(chunk, { statusWebhook, priority: options.priority ?? 'normal' }, watch);
    return { target, part, span };
  }

  private async sendOver(
    fresh: FreshPart[],
    stopping: AbortSignal,
    ended: (target: FreshTarget, unsent?: UnsentDelivery) => void,
  ): Promise<void> {
    const { target, part: first } = fresh[0]!;
    const { channel } = target;
    const circuit = new Circuit(this.database, channel.id, channel, first.watch.place, this.telemetry.failures);
    let waitMs = 0;
    try {
      // Only a deliver job may probe a channel that keeps failing.
      if (circuit.restMs !== null) waitMs = circuit.restMs + jitterMs();
      else
        waitMs = await this.sending.send({
          parts: fresh.map(({ part }) => part),
          nextPage: pagesOf(fresh),
          circuit,
          stopping,
        });
    } catch {
      // An outcome could not be written: a deliver job tries again.
    }
    for (const { target, part, span } of fresh) {
      span?.end();
      ended(target, part.settled < target.recipients.length ? { target, waitMs } : undefined);
    }
  }
}

function pagesOf(fresh: FreshPart[]): () => Promise<PartDelivery[]> {
  const deliveries = fresh.flatMap(({ target, part }) => target.recipients.map((user) => ({ part, recipient: user })));
  return () => Promise.resolve(deliveries.splice(0, USERS_AT_ONCE));
}
