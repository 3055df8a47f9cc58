import { LRUCache } from 'lru-cache';
import { unavailable } from '../../platform/http/problem.js';
import type { RenderContext } from '../template/template.js';
import type { TemplateReport } from '../template/template-fields.js';
import { RenderChild } from './render-child.js';
import type { AnswerTo, ChildLimits, Ending } from './render-child.js';
import { failure, isCostly } from './render-result.js';
import type { InspectJob, RenderJob, RenderResult, TemplateSource } from './render-result.js';

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

interface Rendering {
  template: TemplateSource;
  contexts: RenderContext[];
  results: RenderResult[];
  /** One of its messages ended a render process. */
  careful: boolean;
}

interface Waiting {
  /** Returns false if it needs another turn. */
  turn(): Promise<boolean>;
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
    const rendering: Rendering = { template, contexts, results: [], careful: false };
    return this.#wait(async (resolve) => {
      await this.#turn(rendering);
      if (rendering.results.length < contexts.length) return false;
      resolve(rendering.results);
      return true;
    });
  }

  /** Rejects with a 503 if the process ends meanwhile: no template makes it do so, but an overloaded machine may. */
  inspect(job: InspectJob): Promise<TemplateReport> {
    return this.#wait(async (resolve) => {
      const ending = await this.#run(job, resolve);
      if (ending !== 'done') throw unavailable('The template could not be checked in time. Try again.');
      return true;
    });
  }

  #wait<Result>(turn: (resolve: (result: Result) => void) => Promise<boolean>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ turn: () => turn(resolve), reject });
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
        if (!(await next.turn())) this.#waiting.push(next);
      } catch (error) {
        next.reject(error);
      }
    }
    this.#working = false;
  }

  async #turn(rendering: Rendering): Promise<void> {
    const { template, contexts, results } = rendering;
    if (this.isBlocked(template.key)) {
      while (results.length < contexts.length) results.push(failure('poisoned'));
      return;
    }
    const careful = rendering.careful || this.#strikes.has(template.key);
    const next = contexts.slice(results.length, results.length + TURN_MESSAGES);
    const job: RenderJob = { ...template, contexts: next, slowMs: this.#limits.slowMs, careful };
    const ending = await this.#run(job, (more) => this.#take(rendering, more));
    if (ending === 'done') return;
    // To find the guilty message, the messages are rendered one by one from now on.
    if (careful) this.#take(rendering, [failure(ending === 'killed' ? 'slow' : 'memory')]);
    else rendering.careful = true;
  }

  /** Rejects when the renderer is closed: unfinished messages have not failed. */
  async #run<Job extends RenderJob | InspectJob>(job: Job, onAnswer: (answer: AnswerTo<Job>) => void): Promise<Ending> {
    const closed = new Error('the renderer is closed');
    if (this.#closed) throw closed;
    const ending = await this.#child
      .run(job, onAnswer)
      .catch((error: unknown) => Promise.reject(this.#closed ? closed : error));
    if (this.#closed) throw closed;
    return ending;
  }

  #take({ template: { key }, results }: Rendering, more: RenderResult[]): void {
    results.push(...more);
    const costly = more.filter(isCostly).length;
    if (costly > 0) this.#strikes.set(key, (this.#strikes.get(key) ?? 0) + costly);
  }
}
