import { createRequire } from 'node:module';
import type { Engine } from 'mrml';
import { PART_MAX_LENGTH } from '../liquid.js';
import { elementProblem } from './elements.js';
import { LiquidHoles } from './liquid-holes.js';

/*
 * The converter is `mrml`: WebAssembly without dependencies that reads no files. The package `mjml` needs 130 packages and 56 MB. Elements in many
 * others exhaust its memory: `elementProblem` refuses them.
 */

const require = createRequire(import.meta.url);

/** Loaded when it is first used: most services convert nothing, and compiling it takes 30 ms. */
let engine: Engine | undefined;

/** Engines that must not be freed. */
const broken: Engine[] = [];

/** A layout gets the language of the message: a few characters more. Mail programs cut mails that are much smaller. */
const HTML_MAX_LENGTH = PART_MAX_LENGTH - 1024;

/** The HTML of a mail in MJML, with its Liquid; or why it cannot be converted. */
export function mjmlToHtml(source: string): { html: string } | { problem: string } {
  const holes = new LiquidHoles(source);
  const problem = elementProblem(holes.text);
  if (problem) return { problem };
  const result = convert(holes.text);
  if (result === null) return { problem: 'cannot be converted: it is too much for the converter' };
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

const NO_LANGUAGE = ' lang="und" dir="auto"';
const OF_MESSAGE = ' lang="{{ message.lang }}" dir="{{ message.dir }}"';

/** In a layout, the language of the message takes the place of the one that the conversion leaves open. */
export const inLanguageOfMessage = (html: string) => html.replaceAll(NO_LANGUAGE, OF_MESSAGE);

/** Null: its memory was not enough. Then it cannot be used or freed any more, and a new one takes its place. */
function convert(source: string): ReturnType<Engine['toHtml']> | null {
  engine ??= new (require('mrml') as typeof import('mrml')).Engine();
  try {
    return engine.toHtml(source);
  } catch {
    broken.push(engine);
    engine = undefined;
    delete require.cache[require.resolve('mrml')];
    return null;
  }
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
