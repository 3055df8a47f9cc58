import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { StoredBytes } from '../../auth/quota/stored-bytes.js';
import type { Database } from '../../platform/database/database.js';
import { isTaken } from '../../rules/device/device-result.js';
import type { DeviceResult } from '../../rules/device/device-result.js';
import { renderMessages } from '../../rules/render/render-messages.js';
import type { RenderResult } from '../../rules/render/render-result.js';
import type { Renderer } from '../../rules/render/renderer.js';
import { decideMessage, messageFor, openCategoryOf, richFor } from '../../rules/ruleset/message.js';
import type { MessageRecipient } from '../../rules/ruleset/message.js';
import { ROOM } from '../../rules/ruleset/rule.js';
import { isMutable } from '../../rules/thread/thread.js';
import type { RenderedMessage } from '../../rules/template/template.js';
import { asTaken, droppedBy, mergeResults, outcomeOfAll } from '../device/device-outcome.js';
import type { DeviceAnswer } from '../device/device-outcome.js';
import { isOfCategory, renderCategoryDigests } from '../digest/category-digest.js';
import { NOTE_RESULTS } from '../device/devices.sql.js';
import { sendToDevices } from '../device/send-to-devices.js';
import { loadTargets } from '../device/target-devices.js';
import type { UnsubscribeLinks } from '../unsubscribe/unsubscribe-links.js';
import type { Links } from '../../rules/ruleset/message.js';
import type { LimitReservations } from '../digest/limit-reservations.js';
import { sendWithFiles } from '../file/carry.js';
import type { FileCache } from '../file/file-cache.js';
import { judge } from '../outcome/judge.js';
import { gaveUpWaiting, skipped, storedBytes, undeliverable } from '../outcome/result.js';
import type { Result, StoredRich } from '../outcome/result.js';
import type { ChannelRateLimit } from './channel-rate-limit.js';
import type { Circuit } from './circuit.js';
import type { InFlight } from './in-flight.js';
import type { AdaptiveRate } from './adaptive-rate.js';
import type { SendGroup, PartDelivery } from './send-group.js';

/** After this time the rest goes to the end of the queue: a slow provider or template must not keep the workers for itself. */
const TIME_SLICE_MS = 5000;

/** How often to check whether something was canceled or switched off. */
const CHECK_MS = 250;

interface ChannelSenderOptions {
  /** Returns the next deliveries; empty when there are no more. */
  nextPage: () => Promise<PartDelivery[]>;
  /** Whether to make only one attempt: the circuit of the channel is open. */
  isProbe: boolean;
  renderer: Renderer;
  links: UnsubscribeLinks;
  stored: StoredBytes;
  /** Left out: the channel shows nobody how many messages are unread. */
  countUnread: ((page: PartDelivery[]) => Promise<void>) | undefined;
  files: FileCache;
  inFlight: InFlight;
  places: LimitReservations;
  database: Database;
  rateLimit: ChannelRateLimit;
  pace: AdaptiveRate;
  circuit: Circuit;
  /** Stops the parts that were canceled or switched off. */
  stopParts: () => Promise<void>;
  stopping: AbortSignal;
}

/** Sends messages over one channel during a time slice. A message starts as soon as a slot is free; it does not wait for others to end. */
export class ChannelSender {
  private readonly lastPageAt = Date.now() + TIME_SLICE_MS;
  private endAt = this.lastPageAt;
  private readonly sending = new Set<Promise<void>>();
  private checkAt = Date.now() + CHECK_MS;
  private failure: unknown;
  private attempts = 0;
  /** Whether it ended because of the channel's rate or pace. */
  isRateLimited = false;

  constructor(private readonly parts: ChannelSenderOptions) {}

  async run(): Promise<void> {
    await this.sendAll().finally(() => Promise.all(this.sending));
    // Thrown only now, when the outcomes of all other messages are written.
    if (this.failure) throw this.failure as Error;
  }

  private async sendAll(): Promise<void> {
    let page: PartDelivery[];
    do {
      const startedAt = Date.now();
      page = await this.parts.nextPage();
      await this.findDevices(page);
      await this.parts.countUnread?.(page);
      const rendered = await this.render(page);
      // Loading and rendering do not use up the time slice: otherwise a slow page would be rendered again and again, and never sent.
      this.endAt += Date.now() - startedAt;
      for (const [i, delivery] of page.entries()) {
        if (delivery.part.isStopped) continue;
        if (!(await this.sendWhenFree(delivery, rendered[i]!, page.length - i))) return;
      }
    } while (page.length > 0 && Date.now() <= this.lastPageAt);
  }

  /** The devices as of now: since the last attempt, one may have been registered by another user. */
  private async findDevices(page: PartDelivery[]): Promise<void> {
    const chunk = page[0]?.part.chunk;
    if (!chunk) return;
    const addressees = page.map(({ part, recipient }) => ({
      recipient,
      projectId: part.chunk.subject.recipients.projectId,
    }));
    const targets = await loadTargets(this.parts.database, chunk, addressees);
    for (const [i, delivery] of page.entries()) {
      delivery.targets = targets[i];
      const first = targets[i]?.devices[0];
      if (first) delivery.recipient.address = first.address;
    }
  }

  private async render(page: PartDelivery[]): Promise<RenderResult[]> {
    const { renderer, database } = this.parts;
    for (const { part, recipient: user } of page) if (user.userId !== ROOM) user.links = this.linksOf(part, user);
    const isDigest = ({ part }: PartDelivery) => isOfCategory(part.chunk.subject);
    const others = page.filter((delivery) => !isDigest(delivery));
    const rendered = await renderMessages(
      renderer,
      others.map(({ part: { chunk }, recipient: reader }) => ({
        ...{ template: chunk.template, subject: chunk.subject, reader },
      })),
    );
    if (others.length === page.length) return rendered;
    const digests = page.filter(isDigest).map(({ part: { chunk }, recipient }) => ({ chunk, recipient }));
    const ofCategory = await renderCategoryDigests(database, renderer, digests);
    return page.map((delivery) => (isDigest(delivery) ? ofCategory : rendered).shift()!);
  }

  private linksOf({ chunk }: SendGroup, { id, userId }: MessageRecipient): Links | null {
    const { organizationId, subject, canAcknowledge } = chunk;
    const categoryId = openCategoryOf(subject);
    const acknowledges = canAcknowledge ? id : null;
    const mutes = categoryId !== null && isMutable(subject.thread) ? id : null;
    return this.parts.links.for({ organizationId, userId, categoryId, acknowledges, mutes });
  }

  /** False when the time slice is over, and this delivery waits for the next one. */
  private async sendWhenFree(delivery: PartDelivery, result: RenderResult, wanted: number): Promise<boolean> {
    const { part } = delivery;
    const { rateLimit, pace, inFlight, isProbe, stopping } = this.parts;
    const { organizationId, channelId } = part.chunk;
    await part.outcomes.waitForRoom();
    this.isRateLimited = !(await pace.waitForNext(stopping)) || !(await rateLimit.waitForNext(wanted, stopping));
    if (this.isRateLimited) return false;
    const release = await inFlight.acquire(organizationId, channelId, part.isCritical);
    const isOver = await this.isOver();
    if (isOver || part.isStopped) {
      release();
      return !isOver;
    }
    const sending = this.start(this.sendOne(delivery, result, release));
    if (isProbe) await sending;
    return true;
  }

  private async isOver(): Promise<boolean> {
    const { stopping, circuit, isProbe, stopParts } = this.parts;
    if (stopping.aborted || this.failure || !circuit.maySend || (isProbe && this.attempts > 0)) return true;
    const now = Date.now();
    if (now > this.endAt) return true;
    if (now < this.checkAt) return false;
    this.checkAt = now + CHECK_MS;
    await stopParts();
    return false;
  }

  private start(work: Promise<void>): Promise<void> {
    const sending: Promise<void> = work
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .finally(() => this.sending.delete(sending));
    this.sending.add(sending);
    return sending;
  }

  /** Releases the slot when the provider has answered. To hold it until the outcome is written halved the rate. */
  private async sendOne(delivery: PartDelivery, rendered: RenderResult, release: () => void): Promise<void> {
    const { part, recipient: user } = delivery;
    const result = await this.resultOf(delivery, rendered).finally(release);
    const { outcomes, watch, chunk } = part;
    // A limit kept it back, and that is written.
    if (result === null) return void part.settled++;
    await outcomes.add(result);
    this.parts.stored.add(chunk.organizationId, storedBytes(result));
    // Attempts that do not count: the receiver asked to slow down, or there was a retry by hand, which begins a new wait.
    watch.finished(result, (user.attemptsBefore === 0 ? chunk.dueAt : null) ?? user.pendingSince);
    if (result.status !== 'pending') part.settled++;
  }

  private async resultOf(delivery: PartDelivery, rendered: RenderResult): Promise<Result | null> {
    const { part, recipient: user } = delivery;
    const ended = this.endOf(delivery, rendered);
    if ('status' in ended) {
      if (!isTaken(user.deviceResults)) return ended;
      const message = rendered.ok ? { ...rendered.message, recipient: user.address ?? '' } : null;
      return { ...asTaken(ended), message };
    }
    return (await this.hasPlace(part, user)) ? this.attempt(delivery, ended.rendered) : null;
  }

  /** The result of a message that is not sent, or its text. */
  private endOf(
    { part, recipient: user, targets }: PartDelivery,
    rendered: RenderResult,
  ): Result | { rendered: RenderedMessage } {
    const { id, attempts } = user;
    const fate = decideMessage(user, part.chunk, rendered, new Date());
    if ('gate' in fate) return skipped(id, attempts, fate.gate);
    if ('problem' in fate) return undeliverable(id, attempts, fate.problem);
    return targets?.devices.length === 0 ? gaveUpWaiting(id, attempts, targets.problem) : fate;
  }

  /** Asks for a place within the limits, before the first attempt. */
  private async hasPlace(
    { chunk, watch }: SendGroup,
    { id, userId, attempts, attemptsBefore }: MessageRecipient,
  ): Promise<boolean> {
    const { limits, organizationId: organization, notificationId: notification, channelId: channel } = chunk;
    if (limits === null || userId === ROOM || attempts > attemptsBefore) return true;
    const { zone, digest, digest_key, rule_limit, limit_key, organization_limit } = limits;
    const may_gather = chunk.subject.digest === null && !chunk.isTemplateOfAnother;
    const fate = await this.parts.places.ask({
      ...{ id, organization, notification, channel, user_id: userId, may_gather },
      ...{ zone, digest, digest_key, rule_limit, limit_key, organization_limit },
    });
    if (fate === 'capped') watch.skipped(1);
    return fate === 'free';
  }

  private async attempt(delivery: PartDelivery, rendered: RenderedMessage): Promise<Result> {
    const { part, recipient: user } = delivery;
    const { dispatcher, patienceMs } = part.chunk;
    const { id, attempts, attemptsBefore, pendingSince, address } = user;
    this.attempts++;
    const at = new Date();
    const answers = delivery.targets ? await this.sendToAll(delivery, rendered) : null;
    const devices = answers ? mergeResults(user.deviceResults ?? [], answers) : undefined;
    const outcome = answers ? outcomeOfAll(answers, devices!) : await this.send(part, user, rendered);
    const now = new Date();
    const durationMs = now.getTime() - at.getTime();
    const attempted = { id, attempts, attemptsBefore, pendingSince, at, durationMs, patienceMs };
    const result = judge(attempted, outcome, now, Math.random());
    result.message = { ...rendered, rich: storedRich(part.chunk, rendered), recipient: address ?? '' };
    result.inbox = dispatcher.type === 'inbox' && outcome.kind === 'sent';
    return answers ? onDevices(result, devices!, answers) : result;
  }

  private sendToAll({ part, recipient: user, targets }: PartDelivery, rendered: RenderedMessage) {
    const { id, attempts, deviceResults } = user;
    return sendToDevices({
      devices: targets!.devices,
      before: deviceResults ?? [],
      send: ({ address }) => this.send(part, { ...user, address, isDevice: true }, rendered),
      note: (results) =>
        this.parts.database.query('note-results', NOTE_RESULTS, [id, JSON.stringify(results), attempts]),
    });
  }

  /** One call to the provider. */
  private async send({ chunk, watch }: SendGroup, user: MessageRecipient, rendered: RenderedMessage): Promise<Outcome> {
    const { dispatcher, config, subject, files } = chunk;
    const startedAt = performance.now();
    const message = messageFor(subject, user, rendered);
    const send =
      files && dispatcher.carriesFiles
        ? () => sendWithFiles(this.parts.files, chunk, message)
        : () => dispatcher.send(message, config, chunk.channelId);
    const outcome = await watch.attempt(user.id, send);
    // Of a registered device it is known what it belongs to: this one is refused, and not the channel.
    const isDevice = user.isDevice && outcome.kind === 'retry' && outcome.setsAside;
    this.note(isDevice ? { ...outcome, about: 'recipient' } : outcome, user.address ?? '', startedAt);
    return outcome;
  }

  /**
   * Tells the channel's circuit and pace how an attempt ended. A refusal that slows the channel down is no failure of the channel, and one
   * that is about the recipient or the message shows that the channel works.
   */
  private note(outcome: Outcome, recipient: string, startedAt: number): void {
    if (outcome.kind === 'retry' && outcome.isLocal) return;
    const { circuit, pace } = this.parts;
    const now = performance.now();
    if (outcome.kind === 'rejected' && outcome.fault === 'channel') circuit.refused(outcome.answer);
    else if (outcome.kind !== 'retry' || outcome.about === 'recipient') {
      circuit.succeeded();
      pace.accepted(now);
    } else if (outcome.about === 'either') circuit.refusedRecipient(recipient, outcome.answer);
    else if (!outcome.isSlowDown || !pace.refused(startedAt, now)) circuit.failed(outcome.answer);
  }
}

/** What is stored of a message besides its texts. */
function storedRich({ dispatcher, asked }: SendGroup['chunk'], rendered: RenderedMessage): StoredRich | undefined {
  const rich = richFor(dispatcher, rendered);
  return asked ? { ...rich, acknowledge: asked } : rich;
}

/** What an attempt means for the devices of the user. A message that one of them took keeps its place within a limit. */
function onDevices(result: Result, devices: DeviceResult[], answers: readonly DeviceAnswer[]): Result {
  const whole = { ...result, devices, dropped: droppedBy(answers) };
  if (!isTaken(devices)) return whole;
  return whole.status === 'pending' ? { ...whole, mayHaveArrived: true } : asTaken(whole);
}
