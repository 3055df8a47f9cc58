import { OutputTooLarge, isOverLimit } from '../template/liquid.js';
import type { RenderContext, RenderedMessage, TemplateParts, TranslatedParts } from '../template/template.js';
import type { TemplateReport } from '../template/template-fields.js';

/**
 * Why a message could not be rendered. `invalid`: the template does not work with its data. `too_large`: the rendered message
 * is too large. `slow` and `memory`: it exceeded the limits of a message. `poisoned`: it was not tried, because its template
 * had exceeded the limits several times before.
 */
type RenderFailure = 'invalid' | 'too_large' | 'slow' | 'memory' | 'poisoned';

export type RenderResult = { ok: true; message: RenderedMessage } | { ok: false; reason: RenderFailure; error: string };

/** A template and its unique key, the revision. */
export interface TemplateSource {
  key: string;
  parts: TemplateParts;
}

/** A request to the render process. */
export interface RenderJob extends TemplateSource {
  contexts: RenderContext[];
  slowMs: number;
  /** Each result is sent before the next message starts. This shows which message ended a process. */
  careful: boolean;
}

/** Asks the render process to inspect a template. */
export interface InspectJob {
  inspect: TranslatedParts;
  contexts: RenderContext[];
}

/**
 * An answer of the render process: `ready`; batches of results in order, then `done` after all or some messages; a report, then `done`.
 */
export type RenderAnswer = 'ready' | 'done' | RenderResult[] | TemplateReport;

const SENTENCES: Record<Exclude<RenderFailure, 'invalid'>, string> = {
  too_large: 'The rendered message is too large.',
  slow: 'The template took too long.',
  memory: 'The template used too much memory.',
  poisoned: 'The template took too long or used too much memory several times, so it is not tried again for now.',
};

export function failure(reason: keyof typeof SENTENCES): RenderResult {
  return { ok: false, reason, error: SENTENCES[reason] };
}

export function failureOf(error: unknown): RenderResult {
  const { originalError, message } = error as { originalError?: unknown; message?: string };
  if (error instanceof OutputTooLarge || originalError instanceof OutputTooLarge) return failure('too_large');
  if (isTimeout(error)) return failure('slow');
  if (message && /^Invalid (string|array) length/.test(message)) return failure('memory');
  if (isOverLimit(error)) return failure(message?.startsWith('memory') ? 'memory' : 'slow');
  return { ok: false, reason: 'invalid', error: String(message ?? error) };
}

/** Whether `vm` has stopped it. */
export function isTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

export function isCostly(result: RenderResult): boolean {
  return !result.ok && (result.reason === 'slow' || result.reason === 'memory');
}
