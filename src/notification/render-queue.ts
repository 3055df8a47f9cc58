import { LRUCache } from 'lru-cache';
import { RenderChild } from './render-child.js';
import type { ChildLimits } from './render-child.js';
import { failure, isCostly } from './render-result.js';
import type { RenderResult, TemplateSource } from './render-result.js';
import type { RenderContext } from './template.js';

export interface QueueLimits extends ChildLimits {
  /** What one message may take. */
  slowMs: number;
  /** After so many messages that cost too much, a template is left alone ... */
  strikes: number;
  /** ... for so long: the machine, not the template, may have been the slow one. */
  poisonedMs: number;
}

/** Messages that go to the process at once; it may give some of them back undone. */
const TURN_MESSAGES = 100;

interface Waiting {
  template: TemplateSource;
  contexts: RenderContext[];
  results: RenderResult[];
  resolve(results: RenderResult[]): void;
  reject(error: unknown): void;
}

/** Takes turns between the templates that wait for the render process, so that a slow one delays the others by a turn. */
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
    this.#strikes = new LRUCache({ max: 10_000, ttl: limits.poisonedMs });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  isPoisoned(key: string): boolean {
    return (this.#strikes.get(key) ?? 0) >= this.#limits.strikes;
  }

  render(template: TemplateSource, contexts: RenderContext[]): Promise<RenderResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ template, contexts, results: [], resolve, reject });
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

  async #turn({ template, contexts, results }: Waiting): Promise<void> {
    const take = (result: RenderResult): void => {
      results.push(result);
      if (isCostly(result)) this.#strikes.set(template.key, (this.#strikes.get(template.key) ?? 0) + 1);
    };
    if (this.isPoisoned(template.key)) {
      while (results.length < contexts.length) results.push(failure('poisoned'));
      return;
    }
    const next = contexts.slice(results.length, results.length + TURN_MESSAGES);
    if (this.#closed) throw new Error('the renderer is closed');
    const ending = await this.#child.run({ ...template, contexts: next, slowMs: this.#limits.slowMs }, take);
    if (this.#closed) throw new Error('the renderer is closed');
    if (ending !== 'done') take(failure(ending === 'killed' ? 'slow' : 'memory'));
  }
}
