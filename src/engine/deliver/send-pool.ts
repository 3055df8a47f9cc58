import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { isPublicUrl } from '../../dispatcher/report/report-url.js';
import { Database } from '../../platform/database/database.js';
import type { Priority } from '../../platform/queue/priority.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { Renderer } from '../../rules/render/renderer.js';
import { FileCache } from '../file/file-cache.js';
import { linkedFiles } from '../file/carry.js';
import { FileLinks } from '../file/file-links.js';
import { countUnread } from '../inbox/count-unread.js';
import { report } from '../report/report.sql.js';
import type { StatusWebhook } from '../report/status-webhook.js';
import { UnsubscribeLinks } from '../unsubscribe/unsubscribe-links.js';
import { Outcomes } from '../outcome/outcomes.js';
import { LimitReservations } from '../digest/limit-reservations.js';
import { fallBack, keepPlaces } from '../outcome/outcomes.sql.js';
import type { Fallback } from '../outcome/outcomes.sql.js';
import { suppressAfter } from '../outcome/suppress.sql.js';
import { ChannelRateLimit } from './channel-rate-limit.js';
import { MAX_WAIT_MS } from './channel-state.sql.js';
import { ChannelSender } from './channel-sender.js';
import type { Chunk } from './chunk.js';
import type { Circuit } from './circuit.js';
import { MUST_STOP } from './deliver-chunk.sql.js';
import type { DeliveryWatch } from './delivery-watch.js';
import { InFlight } from './in-flight.js';
import { AdaptiveRate } from './adaptive-rate.js';
import type { SendGroup, PartDelivery } from './send-group.js';

/** What the outcomes of a chunk cause besides the outcomes themselves. */
interface Consequences {
  fallback: Fallback | null;
  statusWebhook: StatusWebhook | null;
  priority: Priority;
  /** Whether limits count its messages. */
  isLimited: boolean;
}

interface ChannelSending {
  parts: SendGroup[];
  nextPage: () => Promise<PartDelivery[]>;
  circuit: Circuit;
  isProbe?: boolean;
  stopping: AbortSignal;
}

/** Sends messages, and shares among all of them what a process has only once: the slots in flight, the writers, the renderer. */
@Injectable()
export class SendPool implements OnApplicationShutdown {
  private readonly renderer: Renderer;
  private readonly inFlight = new InFlight();
  private readonly places: LimitReservations;
  private readonly writers = new LRUCache<string, Outcomes>({ max: 1000 });
  /** The start of the URLs of reports; null: providers could not reach them. */
  private readonly reportsAt: string | null;
  private readonly paces = new LRUCache<number, AdaptiveRate>({ max: 10_000 });

  constructor(
    private readonly database: Database,
    private readonly links: UnsubscribeLinks,
    private readonly stored: StoredBytes,
    private readonly files: FileCache,
    private readonly fileLinks: FileLinks,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.places = new LimitReservations(database);
    const { publicUrl } = config;
    this.renderer = new Renderer({}, undefined, publicUrl);
    this.reportsAt = publicUrl !== null && isPublicUrl(publicUrl) ? publicUrl : null;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }

  part(chunk: Chunk, consequences: Omit<Consequences, 'fallback' | 'isLimited'>, watch: DeliveryWatch): SendGroup {
    const isLimited = chunk.limits !== null;
    if (chunk.reportPath !== undefined && this.reportsAt !== null)
      chunk.subject.reportUrl = `${this.reportsAt}${chunk.reportPath}`;
    if (chunk.files) chunk.subject.attachments = linkedFiles(this.fileLinks, chunk.subject, chunk.files);
    const outcomes = this.outcomes({ ...consequences, fallback: chunk.fallback, isLimited });
    return { chunk, outcomes, watch, isCritical: consequences.priority === 'critical', isStopped: false, settled: 0 };
  }

  /** Chunks with the same additions share a writer: 20 outcomes in a statement instead of 2 or 3. */
  outcomes({ fallback, statusWebhook, priority, isLimited }: Consequences): Outcomes {
    const { softFailures } = this.config;
    const additions = [
      ...(fallback ? [fallBack(fallback, priority, isLimited)] : []),
      ...(isLimited ? [keepPlaces] : []),
      ...(statusWebhook ? [report(statusWebhook)] : []),
      ...(softFailures ? [suppressAfter(softFailures)] : []),
    ];
    const key = JSON.stringify(additions.map(({ name, values }) => [name, values]));
    const outcomes = this.writers.get(key) ?? new Outcomes(this.database, additions);
    this.writers.set(key, outcomes);
    return outcomes;
  }

  /** Sends parts of one channel until its time slice is over. Returns how long the rest must wait at least. */
  async send({ parts, nextPage, circuit, isProbe = false, stopping }: ChannelSending): Promise<number> {
    const { channelId, rate, dispatcher, config } = parts[0]!.chunk;
    const rateLimit = new ChannelRateLimit(this.database, channelId, rate);
    if (!(await rateLimit.reserveFirst())) return jitterMs();
    const sender = new ChannelSender({
      nextPage,
      isProbe,
      renderer: this.renderer,
      links: this.links,
      stored: this.stored,
      countUnread: dispatcher.countsUnread?.(config) ? (page) => countUnread(this.database, page) : undefined,
      files: this.files,
      inFlight: this.inFlight,
      places: this.places,
      database: this.database,
      rateLimit,
      pace: this.paceOf(channelId),
      circuit,
      stopParts: () => this.stopParts(parts),
      stopping,
    });
    try {
      await sender.run();
      return sender.isRateLimited ? jitterMs() : 0;
    } finally {
      await circuit.save();
    }
  }

  private paceOf(channelId: number): AdaptiveRate {
    const pace = this.paces.get(channelId) ?? new AdaptiveRate();
    this.paces.set(channelId, pace);
    return pace;
  }

  private async stopParts(parts: SendGroup[]): Promise<void> {
    const open = parts.filter(({ isStopped }) => !isStopped);
    const chunks = open.map(({ chunk: { subject, notificationId, channelId } }) => ({
      occurrence: subject.occurrence,
      notification: notificationId,
      channel: channelId,
    }));
    const values = [JSON.stringify(chunks)];
    const { rows } = await this.database.query<{ place: number }>('must-stop', MUST_STOP, values);
    for (const { place } of rows) open[place - 1]!.isStopped = true;
  }
}

/** A random delay: chunks that wait for the same channel do not all come back at once. */
export const jitterMs = () => MAX_WAIT_MS * (0.25 + Math.random() / 2);
