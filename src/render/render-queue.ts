import { LRUCache } from 'lru-cache';
import type { RenderContext } from '../template/template.js';
import { RenderChild } from './render-child.js';
import type { ChildLimits, Ending } from './render-child.js';
import { failure, isCostly } from './render-result.js';
import type { RenderJob, RenderResult, TemplateSource } from './render-result.js';

export interface QueueLimits extends ChildLimits {
  /** The most CPU time for one message. */
  slowMs: number;
  /** A template is blocked after this number of messages that cost too much. */
  strikes: number;
  /** The block ends after this time: the data, or a very busy machine, may have been the cause, not the template. */
  blockedMs: number;
}

/** Messages that go to the process at once. It may leave some of them for the next turn. */
const TURN_MESSAGES = 100;

interface Waiting {
  template: TemplateSource;
  contexts: RenderContext[];
  results: RenderResult[];
  /** One of its messages ended a render process. */
  careful: boolean;
  resolve(results: RenderResult[]): void;
  reject(error: unknown): void;
}

/** The queue of the render process. Templates take turns, so that a slow one delays the others by one turn only. */
export class RenderQueue {
  readonly #child: RenderChild;
  readonly #limits: QueueLimits;
  readonly #strikes: LRUCache<string, number>;
  readonly #waiting: Waiting[] = [];
  #working = false;
  #closed = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#child = new RenderChild(limits);
    this.#strikes = new LRUCache({ max: 10_000, ttl: limits.blockedMs });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  isBlocked(key: string): boolean {
    return (this.#strikes.get(key) ?? 0) >= this.#limits.strikes;
  }

  render(template: TemplateSource, contexts: RenderContext[]): Promise<RenderResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ template, contexts, results: [], careful: false, resolve, reject });
      if (!this.#working) void this.#work();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#child.close();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await this.#turn(next);
        if (next.results.length < next.contexts.length) this.#waiting.push(next);
        else next.resolve(next.results);
      } catch (error) {
        next.reject(error);
      }
    }
    this.#working = false;
  }

  async #turn(waiting: Waiting): Promise<void> {
    const { template, contexts, results } = waiting;
    if (this.isBlocked(template.key)) {
      while (results.length < contexts.length) results.push(failure('poisoned'));
      return;
    }
    const careful = waiting.careful || this.#strikes.has(template.key);
    const next = contexts.slice(results.length, results.length + TURN_MESSAGES);
    const ending = await this.#run({ ...template, contexts: next, slowMs: this.#limits.slowMs, careful }, waiting);
    if (ending === 'done') return;
    // To find the guilty message, the messages are rendered one by one from now on.
    if (careful) this.#take(waiting, [failure(ending === 'killed' ? 'slow' : 'memory')]);
    else waiting.careful = true;
  }

  /** Rejects when the renderer is closed: unfinished messages have not failed. */
  async #run(job: RenderJob, waiting: Waiting): Promise<Ending> {
    const closed = new Error('the renderer is closed');
    if (this.#closed) throw closed;
    const ending = await this.#child
      .run(job, (results) => this.#take(waiting, results))
      .catch((error: unknown) => Promise.reject(this.#closed ? closed : error));
    if (this.#closed) throw closed;
    return ending;
  }

  #take({ template: { key }, results }: Waiting, more: RenderResult[]): void {
    results.push(...more);
    const costly = more.filter(isCostly).length;
    if (costly > 0) this.#strikes.set(key, (this.#strikes.get(key) ?? 0) + costly);
  }
}
