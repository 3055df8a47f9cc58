import type { RenderResult } from '../../render/render-result.js';
import type { Renderer } from '../../render/renderer.js';
import { fateOf, messageFor, renderContexts } from '../../ruleset/message.js';
import type { Person } from '../../ruleset/message.js';
import type { RenderedMessage } from '../../template/template.js';
import { judge } from '../outcome/judge.js';
import type { Outcomes } from '../outcome/outcomes.js';
import { skipped, undeliverable } from '../outcome/result.js';
import type { Result } from '../outcome/result.js';
import type { ChannelRateLimit } from './channel-rate-limit.js';
import type { Chunk } from './chunk.js';
import type { Circuit } from './circuit.js';
import type { DeliveryWatch } from './delivery-watch.js';
import type { InFlight } from './in-flight.js';

/** After this time a chunk goes to the end of the queue: a slow provider must not keep the workers for itself. */
const TIME_SLICE_MS = 5000;

/** How often a chunk checks whether it was canceled or switched off. */
const CHECK_MS = 250;

export interface ChunkSenderParts {
  chunk: Chunk;
  /** Loads the next page of people; empty when there are no more. */
  nextPeople: () => Promise<Person[]>;
  isCritical: boolean;
  /** Whether to make only one attempt: the circuit of the channel is open. */
  isProbe: boolean;
  renderer: Renderer;
  inFlight: InFlight;
  rateLimit: ChannelRateLimit;
  circuit: Circuit;
  outcomes: Outcomes;
  /** False once the chunk was canceled or switched off. */
  mayGoOn: () => Promise<boolean>;
  stopping: AbortSignal;
  watch: DeliveryWatch;
}

/** Sends the messages of one chunk during its time slice. A message starts as soon as a slot is free; it does not wait for others to end. */
export class ChunkSender {
  private readonly endAt = Date.now() + TIME_SLICE_MS;
  private readonly sending = new Set<Promise<void>>();
  private checkAt = Date.now() + CHECK_MS;
  private failure: unknown;
  private attempts = 0;
  /** Whether it ended because of the channel's rate. */
  isRateLimited = false;
  /** How many deliveries are finished and written. */
  settled = 0;

  constructor(private readonly parts: ChunkSenderParts) {}

  async run(): Promise<void> {
    await this.sendAll().finally(() => Promise.all(this.sending));
    // Thrown only now, when the outcomes of all other messages are written.
    if (this.failure) throw this.failure as Error;
  }

  private async sendAll(): Promise<void> {
    const { chunk, nextPeople, renderer } = this.parts;
    for (let people = await nextPeople(); people.length > 0; people = await nextPeople()) {
      const rendered = await renderer.render(chunk.template, renderContexts(chunk.subject, people));
      for (const [i, person] of people.entries()) {
        if (!(await this.sendWhenFree(person, rendered[i]!, people.length - i))) return;
      }
    }
  }

  /** False when the time slice is over, and this person waits for the next one. */
  private async sendWhenFree(person: Person, result: RenderResult, wanted: number): Promise<boolean> {
    const { chunk, rateLimit, inFlight, isCritical, isProbe, outcomes, stopping } = this.parts;
    await outcomes.waitForRoom();
    this.isRateLimited = !(await rateLimit.waitForNext(wanted, stopping));
    if (this.isRateLimited) return false;
    const release = await inFlight.acquire(chunk.channelId, isCritical);
    if (await this.isOver()) {
      release();
      return false;
    }
    const sending = this.start(this.sendOne(person, result, release));
    if (isProbe) await sending;
    return true;
  }

  private async isOver(): Promise<boolean> {
    const { stopping, circuit, isProbe, mayGoOn } = this.parts;
    if (stopping.aborted || this.failure || !circuit.maySend || (isProbe && this.attempts > 0)) return true;
    const now = Date.now();
    if (now > this.endAt) return true;
    if (now < this.checkAt) return false;
    this.checkAt = now + CHECK_MS;
    return !(await mayGoOn());
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
  private async sendOne(person: Person, rendered: RenderResult, release: () => void): Promise<void> {
    const result = await this.resultOf(person, rendered).finally(release);
    const { outcomes, watch, chunk } = this.parts;
    await outcomes.add(result);
    // A retry by hand says nothing about how long messages take.
    watch.finished(result, person.attemptsBefore === 0 ? chunk.dueAt : undefined);
    if (result.status !== 'pending') this.settled++;
  }

  private async resultOf(person: Person, rendered: RenderResult): Promise<Result> {
    const { id, attempts } = person;
    const fate = fateOf(person, this.parts.chunk, rendered, new Date());
    if ('gate' in fate) return skipped(id, attempts, fate.gate);
    return 'problem' in fate ? undeliverable(id, attempts, fate.problem) : this.attempt(person, fate.rendered);
  }

  private async attempt(person: Person, rendered: RenderedMessage): Promise<Result> {
    const { chunk, circuit, watch } = this.parts;
    const { dispatcher, config, subject } = chunk;
    const { id, attempts, attemptsBefore, address } = person;
    this.attempts++;
    const at = new Date();
    const outcome = await watch.attempt(id, () => dispatcher.send(messageFor(subject, person, rendered), config));
    const now = new Date();
    if (outcome.kind === 'retry') circuit.failed();
    else circuit.succeeded();
    const attempted = { id, attempts, attemptsBefore, at, durationMs: now.getTime() - at.getTime() };
    const result = judge(attempted, outcome, now, Math.random());
    result.message = { subject: rendered.subject, text: rendered.text, html: rendered.html, recipient: address ?? '' };
    result.inbox = dispatcher.type === 'inbox' && outcome.kind === 'sent';
    return result;
  }
}
