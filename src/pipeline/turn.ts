import type { Renderer } from '../notification/renderer.js';
import type { RenderResult } from '../notification/render-result.js';
import type { Chunk } from './chunk.js';
import type { Circuit } from './circuit.js';
import type { InFlight } from './in-flight.js';
import { judge } from './judge.js';
import { fateOf, messageFor, renderContexts } from './message.js';
import type { Person } from './message.js';
import type { Outcomes } from './outcomes.js';
import type { Pace } from './pace.js';
import { skipped, stillborn } from './result.js';

/** After so long a chunk goes to the end of the line: a slow provider must not hold the workers for itself. */
const TURN_MS = 5000;

/** Messages that are rendered at a time. */
const SLICE = 50;

/** How often a chunk looks whether it was canceled, or its channel switched off. */
const LOOK_MS = 500;

/** Why a turn ended before everyone was sent theirs. */
export type Ended = 'done' | 'over' | 'too fast' | 'stopped' | 'circuit';

export interface TurnParts {
  chunk: Chunk;
  isCritical: boolean;
  renderer: Renderer;
  inFlight: InFlight;
  pace: Pace;
  circuit: Circuit;
  outcomes: Outcomes;
  /** Whether nobody has canceled it meanwhile. */
  mayGoOn: () => Promise<boolean>;
  stopping: AbortSignal;
}

/** One chunk's turn to send: each message as soon as there is a place for it, none waiting for those before it to arrive. */
export class Turn {
  private readonly until = Date.now() + TURN_MS;
  private readonly flying = new Set<Promise<void>>();
  private lookAt = Date.now() + LOOK_MS;
  private failure: unknown;

  constructor(private readonly parts: TurnParts) {}

  async send(people: Person[]): Promise<Ended> {
    const ended = await this.sendAll(people).finally(() => Promise.all(this.flying));
    // The others have come to their end first: what they did is written.
    if (this.failure) throw this.failure as Error;
    return this.parts.circuit.holds ? ended : 'circuit';
  }

  private async sendAll(people: Person[]): Promise<Ended> {
    const { chunk, renderer, pace, inFlight, isCritical, stopping } = this.parts;
    for (let start = 0; start < people.length; start += SLICE) {
      const slice = people.slice(start, start + SLICE);
      const rendered = await renderer.render(chunk.template, renderContexts(chunk.subject, slice));
      for (const [i, person] of slice.entries()) {
        if (!(await pace.next(people.length - start - i, stopping))) return 'too fast';
        const giveBack = await inFlight.take(chunk.channelId, isCritical);
        const ended = await this.isOver();
        if (ended) {
          giveBack();
          return ended;
        }
        this.launch(this.sendOne(person, rendered[i]!), giveBack);
      }
    }
    return 'done';
  }

  private async isOver(): Promise<Ended | null> {
    if (this.parts.stopping.aborted || this.failure) return 'stopped';
    if (!this.parts.circuit.holds) return 'circuit';
    const now = Date.now();
    if (now > this.until) return 'over';
    if (now < this.lookAt) return null;
    this.lookAt = now + LOOK_MS;
    return (await this.parts.mayGoOn()) ? null : 'stopped';
  }

  private launch(sending: Promise<void>, giveBack: () => void): void {
    const flight: Promise<void> = sending
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .finally(() => {
        giveBack();
        this.flying.delete(flight);
      });
    this.flying.add(flight);
  }

  private async sendOne(person: Person, result: RenderResult): Promise<void> {
    const { chunk, outcomes } = this.parts;
    const { id, attempts } = person;
    const fate = fateOf(person, chunk, result, new Date());
    if ('gate' in fate) return outcomes.add(skipped(id, attempts, fate.gate));
    if ('problem' in fate) return outcomes.add(stillborn(id, attempts, fate.problem));
    return this.attempt(person, fate.rendered);
  }

  private async attempt(person: Person, rendered: { subject: string; text: string; html: string }): Promise<void> {
    const { chunk, circuit, outcomes } = this.parts;
    const { dispatcher, config, subject } = chunk;
    const at = new Date();
    const outcome = await dispatcher.send(messageFor(subject, person, rendered), config);
    const now = new Date();
    if (outcome.kind === 'retry') circuit.failed(outcome.answer);
    else circuit.succeeded();
    const attempted = { ...person, at, durationMs: now.getTime() - at.getTime() };
    await outcomes.add({
      ...judge(attempted, outcome, now, Math.random()),
      message: { ...rendered, recipient: person.address ?? '' },
      inbox: dispatcher.type === 'inbox' && outcome.kind === 'sent',
    });
  }
}
