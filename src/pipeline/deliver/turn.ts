import type { RenderResult } from '../../render/render-result.js';
import type { Renderer } from '../../render/renderer.js';
import { fateOf, messageFor, renderContexts } from '../../ruleset/message.js';
import type { Person } from '../../ruleset/message.js';
import type { RenderedMessage } from '../../template/template.js';
import { judge } from '../outcome/judge.js';
import type { Outcomes } from '../outcome/outcomes.js';
import { skipped, stillborn } from '../outcome/result.js';
import type { Result } from '../outcome/result.js';
import type { Chunk } from './chunk.js';
import type { Circuit } from './circuit.js';
import type { DeliveryWatch } from './delivery-watch.js';
import type { InFlight } from './in-flight.js';
import type { Pace } from './pace.js';

/** After so long a chunk goes to the end of the line: a slow provider must not hold the workers for itself. */
const TURN_MS = 5000;

/** How often a chunk looks whether it was canceled or switched off. */
const LOOK_MS = 250;

export interface TurnParts {
  chunk: Chunk;
  /** The next people, some at a time; none when there are no more. */
  nextPeople: () => Promise<Person[]>;
  isCritical: boolean;
  /** Only one attempt is made: the channel rests. */
  isProbe: boolean;
  renderer: Renderer;
  inFlight: InFlight;
  pace: Pace;
  circuit: Circuit;
  outcomes: Outcomes;
  /** Whether nobody has canceled it, or switched it off, meanwhile. */
  mayGoOn: () => Promise<boolean>;
  stopping: AbortSignal;
  watch: DeliveryWatch;
}

/** One chunk's turn to send: each message as soon as there is a place for it, none waiting for those before it to arrive. */
export class Turn {
  private readonly until = Date.now() + TURN_MS;
  private readonly flying = new Set<Promise<void>>();
  private lookAt = Date.now() + LOOK_MS;
  private failure: unknown;
  private attempts = 0;
  /** Whether the channel's rate ended it. */
  tooFast = false;
  /** How many deliveries came to their end, which is written. */
  settled = 0;

  constructor(private readonly parts: TurnParts) {}

  async run(): Promise<void> {
    await this.sendAll().finally(() => Promise.all(this.flying));
    // The others have come to their end first: what they did is written.
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

  /** False when the turn is over, and this person waits for the next. */
  private async sendWhenFree(person: Person, result: RenderResult, wanted: number): Promise<boolean> {
    const { chunk, pace, inFlight, isCritical, isProbe, outcomes, stopping } = this.parts;
    await outcomes.room();
    this.tooFast = !(await pace.next(wanted, stopping));
    if (this.tooFast) return false;
    const giveBack = await inFlight.take(chunk.channelId, isCritical);
    if (await this.isOver()) {
      giveBack();
      return false;
    }
    const flight = this.launch(this.sendOne(person, result, giveBack));
    if (isProbe) await flight;
    return true;
  }

  private async isOver(): Promise<boolean> {
    const { stopping, circuit, isProbe, mayGoOn } = this.parts;
    if (stopping.aborted || this.failure || !circuit.holds || (isProbe && this.attempts > 0)) return true;
    const now = Date.now();
    if (now > this.until) return true;
    if (now < this.lookAt) return false;
    this.lookAt = now + LOOK_MS;
    return !(await mayGoOn());
  }

  private launch(sending: Promise<void>): Promise<void> {
    const flight: Promise<void> = sending
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .finally(() => this.flying.delete(flight));
    this.flying.add(flight);
    return flight;
  }

  /** The place in flight is free for the next as soon as the answer is here: to hold it until that is written halved the rate. */
  private async sendOne(person: Person, result: RenderResult, giveBack: () => void): Promise<void> {
    const became = await this.become(person, result).finally(giveBack);
    const { outcomes, watch, chunk } = this.parts;
    await outcomes.add(became);
    // One that was retried by hand says nothing of how long messages take.
    watch.became(became, person.attemptsBefore === 0 ? chunk.dueAt : undefined);
    if (became.status !== 'pending') this.settled++;
  }

  private async become(person: Person, result: RenderResult): Promise<Result> {
    const { id, attempts } = person;
    const fate = fateOf(person, this.parts.chunk, result, new Date());
    if ('gate' in fate) return skipped(id, attempts, fate.gate);
    return 'problem' in fate ? stillborn(id, attempts, fate.problem) : this.attempt(person, fate.rendered);
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
