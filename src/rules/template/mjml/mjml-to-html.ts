import { createRequire } from 'node:module';
import type { Engine } from 'mrml';
import { elementProblem } from './elements.js';
import { LiquidHoles } from './liquid-holes.js';

/*
 * The converter is `mrml`: WebAssembly without dependencies that reads no files. The package `mjml` needs 130 packages and 56 MB. After an error of
 * its memory it cannot be used again, so `elementProblem` refuses what could lead to one; the render process ends then, and a new one starts.
 */

const require = createRequire(import.meta.url);

/** Loaded when it is first used: most services convert nothing, and compiling it takes 30 ms. */
let engine: Engine | undefined;

/** In characters. */
export const MJML_MAX_LENGTH = 128 * 1024;

/** In characters. Mail programs cut mails that are much smaller. */
const HTML_MAX_LENGTH = 512 * 1024;

/** The HTML of a mail in MJML, with its Liquid; or why it cannot be converted. */
export function mjmlToHtml(source: string): { html: string } | { problem: string } {
  if (source.length > MJML_MAX_LENGTH) return { problem: `must have at most ${MJML_MAX_LENGTH} characters` };
  const holes = new LiquidHoles(source);
  const problem = elementProblem(holes.text);
  if (problem) return { problem };
  engine ??= new (require('mrml') as typeof import('mrml')).Engine();
  const result = engine.toHtml(holes.text);
  if (result.type === 'error') return { problem: sentence(result.message, result.origin, holes.text) };
  const { content } = result;
  if (result.warnings.some(({ kind }) => kind === 'inline-style-unsupported'))
    return { problem: '<mj-style inline="inline"> cannot be used: leave inline out' };
  const [lost] = holes.lostIn(content);
  if (lost !== undefined)
    return { problem: `has Liquid where MJML has no place for it, line:${lost}: put it into mj-raw or mj-text` };
  const html = holes.fill(content, HTML_MAX_LENGTH);
  return html === null
    ? { problem: `is more than ${HTML_MAX_LENGTH} characters of HTML when it is converted` }
    : { html };
}

/** The converter counts characters from the start, in UTF-8. */
function sentence(message: string, origin: string, source: string): string {
  const [, byte] = /at position (\d+)/.exec(message) ?? [];
  if (origin === 'parser' && byte !== undefined) {
    const line = Buffer.from(source).subarray(0, Number(byte)).toString().split('\n').length;
    return `is no MJML: ${message.replace(/ in root template at position.*/, '')}, line:${line}`;
  }
  return `is no MJML: ${message}`;
}
