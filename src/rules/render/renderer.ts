import { setImmediate as otherWork } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { compileTemplate, renderTemplate } from '../template/template.js';
import type { CompiledTemplate, RenderContext, TemplateParts, TranslatedParts } from '../template/template.js';
import type { TemplateReport } from '../template/template-fields.js';
import { RenderQueue } from './render-queue.js';
import type { QueueLimits } from './render-queue.js';
import { failure, failureOf, isCostly } from './render-result.js';
import type { RenderResult, TemplateSource } from './render-result.js';

const LIMITS: QueueLimits = { slowMs: 1_000, killMs: 5_000, memoryMb: 128, strikes: 3, blockedMs: 600_000 };

/**
 * Limits for a plain part in our own process, about 10 ms. A part that needs more is rendered in the render process. Work is
 * counted: on a busy machine a clock would send everything there. The time is for work that nobody has thought of.
 */
const PLAIN_LIMITS = { work: 64 * 1024, milliseconds: 1_000 };

/** How long plain messages are rendered before other work gets a turn. */
const PLAIN_TURN_MS = 10;

/**
 * Renders messages. Plain templates, which are nearly all, are rendered in our own process at about 10 us per message. Others
 * are rendered in a process that can be killed: a message that costs too much fails, and the others are rendered.
 */
export class Renderer {
  readonly #queue: RenderQueue;
  readonly #compiled = new LRUCache<string, CompiledTemplate>({ max: 500 });
  // Forgotten after a minute: a single large context may have been the cause.
  readonly #costly = new LRUCache<string, true>({ max: 1_000, ttl: 60_000 });

  /** `isParsedHere`: whether a template may be parsed in our own process. `publicUrl`: for the addresses of logos. */
  constructor(
    limits: Partial<QueueLimits> = {},
    private readonly isParsedHere: (parts: TemplateParts) => boolean = () => true,
    private readonly publicUrl: string | null = null,
  ) {
    this.#queue = new RenderQueue({ ...LIMITS, ...limits });
  }

  /** The pid of the render process, if it runs. */
  get pid(): number | undefined {
    return this.#queue.pid;
  }

  /** Returns one result per context, in the same order. Contexts with equal parts should share the objects. */
  async render(given: TemplateSource, contexts: RenderContext[]): Promise<RenderResult[]> {
    const template = given.parts.shared?.brand?.logo ? withLogo(given, this.publicUrl) : given;
    if (!this.isParsedHere(template.parts)) return this.#queue.render(template, contexts);
    const compiled = this.#compile(template);
    if (!('parts' in compiled)) return contexts.map(() => compiled);
    if (this.#queue.isBlocked(template.key)) return contexts.map(() => failure('poisoned'));
    const here = compiled.plain && !this.#costly.has(template.key);
    const results = here ? await this.#renderHere(template.key, compiled, contexts) : [];
    if (results.length === contexts.length) return results;
    return results.concat(await this.#queue.render(template, contexts.slice(results.length)));
  }

  /** Inspects a template in the render process. */
  inspect(parts: TranslatedParts, contexts: RenderContext[]): Promise<TemplateReport> {
    return this.#queue.inspect({ inspect: parts, contexts });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  #compile({ key, parts }: TemplateSource): CompiledTemplate | RenderResult {
    try {
      const compiled = this.#compiled.get(key) ?? compileTemplate(parts);
      this.#compiled.set(key, compiled);
      return compiled;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Returns the results up to the first message that costs too much. */
  async #renderHere(key: string, template: CompiledTemplate, contexts: RenderContext[]): Promise<RenderResult[]> {
    const results: RenderResult[] = [];
    let start = performance.now();
    for (const context of contexts) {
      const result = renderOne(template, context);
      if (isCostly(result)) {
        this.#costly.set(key, true);
        break;
      }
      results.push(result);
      if (performance.now() - start > PLAIN_TURN_MS) {
        await otherWork();
        start = performance.now();
      }
    }
    return results;
  }
}

/** A ruleset has the path of a logo. Without a public URL there is no address for it, and so no logo. */
function withLogo({ key, parts }: TemplateSource, publicUrl: string | null): TemplateSource {
  const { logo = '', ...brand } = parts.shared?.brand ?? {};
  const url = logo.startsWith('/') ? publicUrl && `${publicUrl}${logo}` : logo;
  return { key, parts: { ...parts, shared: { ...parts.shared, brand: url ? { ...brand, logo: url } : brand } } };
}

function renderOne(template: CompiledTemplate, context: RenderContext): RenderResult {
  try {
    return { ok: true, message: renderTemplate(template, context, PLAIN_LIMITS) };
  } catch (error) {
    return failureOf(error);
  }
}
