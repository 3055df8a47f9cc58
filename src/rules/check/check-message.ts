import { dataProblem } from '../../dispatcher/message-limits.js';
import type { MessageLimits } from '../../dispatcher/message-limits.js';
import type { RenderedRich } from '../template/rich/rich.js';
import { readHtml } from './read-html.js';
import type { HtmlFacts } from './read-html.js';

/**
 * `error`: recipients get something that is broken. `warning`: some of them do, or it looks bad. `hint`: good to know.
 */
export const CHECK_LEVELS = ['error', 'warning', 'hint'] as const;
export type CheckLevel = (typeof CHECK_LEVELS)[number];

/** Something about a message that its author should look at. */
interface MessageCheck {
  id: string;
  level: CheckLevel;
  /** What to do about it. */
  sentence: string;
}

/** A rendered message, and what it was rendered with. */
export interface CheckedMessage {
  /** Whether it is a mail. Other channels show less of it. */
  isMail: boolean;
  /** Whether a phone or a browser shows it among its notifications. */
  isPush: boolean;
  /** What its channel takes. */
  limits: MessageLimits;
  subject: string;
  text: string;
  html: string;
  rich?: RenderedRich;
  /** Names that the template needs and that have no value. */
  missing: readonly string[];
  /** The name of the category that its readers can opt out of; null: they cannot. */
  category: string | null;
  /** Null: the service has no public address, so there is no link. */
  unsubscribeUrl: string | null;
  preferencesUrl: string | null;
  /** The address of the organization's logo, or the end of it. The operator of the service decides about it; null: there is none. */
  logo: string | null;
  /** Where the service serves the files that it carries. */
  fileUrls: readonly string[];
  /** The names of the inline images that it carries. */
  cids: readonly string[];
}

/** Gmail shows no more of a mail. */
const GMAIL_BYTES = 102 * 1024;
const MAX_SUBJECT = 70;
const MIN_VISIBLE = 20;
const MAX_EXCERPT = 80;
/** What a locked phone shows of a message, more or less. */
const PHONE_TITLE = 40;
const PHONE_TEXT = 150;

/** Checks a message as a mail tool does. */
export function checkMessage(message: CheckedMessage): MessageCheck[] {
  const facts = readHtml(message.html);
  return [
    ...partChecks(message),
    ...valueChecks(message),
    ...unsubscribeChecks(message),
    ...linkChecks(message, facts),
    ...imageChecks(message, facts),
    ...contrastChecks(facts),
    ...sizeChecks(message, facts),
    ...limitChecks(message),
    ...phoneChecks(message),
  ];
}

const error = (id: string, sentence: string): MessageCheck => ({ id, level: 'error', sentence });
const warning = (id: string, sentence: string): MessageCheck => ({ id, level: 'warning', sentence });
const hint = (id: string, sentence: string): MessageCheck => ({ id, level: 'hint', sentence });

function* partChecks({ isMail, subject, text, html }: CheckedMessage): Generator<MessageCheck> {
  if (text.trim() === '' && html.trim() === '')
    yield error('empty_message', 'The message is empty: write a text or HTML.');
  if (!isMail) return;
  if (subject.trim() === '') yield error('subject_empty', 'The mail has no subject: write one.');
  const { length } = [...subject];
  if (length > MAX_SUBJECT)
    yield warning(
      'subject_long',
      `The subject has ${length} characters. Mail programs show about ${MAX_SUBJECT}, phones about 40: shorten it, or put the important words first.`,
    );
  if (html.trim() !== '' && text.trim() === '')
    yield warning(
      'no_text',
      'The mail has no plain text: write a text for readers and filters that do not show HTML, or HTML with words.',
    );
}

function* valueChecks({ subject, text, html, missing }: CheckedMessage): Generator<MessageCheck> {
  if (missing.length > 0)
    yield warning(
      'missing_value',
      `The data have no value for ${list(missing)}: send it with every trigger, or give it a default.`,
    );
  const parts = { subject, text, html };
  for (const [part, content] of Object.entries(parts)) {
    const left = leftOver(content);
    if (left === null) continue;
    yield error('unresolved', `The ${part} shows ${quoted(left)} to its readers: correct the template or the data.`);
  }
}

/** A piece of a template, or of an object that has no text. */
function leftOver(content: string): string | null {
  for (const sign of ['{{', '{%', '[object Object]']) {
    const at = content.indexOf(sign);
    if (at >= 0) return content.slice(at, at + 30).split('\n', 1)[0]!;
  }
  return null;
}

function* unsubscribeChecks(message: CheckedMessage): Generator<MessageCheck> {
  const { isMail, category, unsubscribeUrl: url, preferencesUrl, text, html } = message;
  if (!isMail || category === null) return;
  if (url === null)
    return yield warning(
      'no_unsubscribe',
      `Readers cannot opt out of ${quoted(category)}: set PUBLIC_URL, so that the service can make links to unsubscribe.`,
    );
  const has = (part: string) => [url, preferencesUrl].some((each) => each !== null && part.includes(each));
  const lacking = Object.entries({ HTML: html, text }).filter(([, part]) => part.trim() !== '' && !has(part));
  if (lacking.length > 0)
    yield warning(
      'no_unsubscribe',
      `The ${lacking.map(([name]) => name).join(' and the ')} of the mail cannot be used to opt out of ${quoted(category)}: use the layout default, or add {{ unsubscribe_url }}.`,
    );
}

/** Schemes that mail programs open. */
const OPENED = /^(https?|mailto|tel|sms|webcal):/i;

function* linkChecks(message: CheckedMessage, { links }: HtmlFacts): Generator<MessageCheck> {
  const { isMail, unsubscribeUrl, preferencesUrl, fileUrls } = message;
  const isEmpty = (href: string) => /^(#|\/\/|https?:\/*|mailto:|tel:)?$/i.test(href);
  const empty = links.filter(({ href }) => isEmpty(href));
  if (empty.length > 0)
    yield error(
      'empty_link',
      `${count(empty.length, 'link leads', 'links lead')} nowhere, such as ${quoted(empty[0]!.text || empty[0]!.href)}: the address is empty. Correct the template or the data.`,
    );
  const others = links.filter(({ href }) => !isEmpty(href) && !href.startsWith('#'));
  const closed = others.filter(({ href }) => !OPENED.test(href) && (isMail || !href.startsWith('/')));
  if (closed.length > 0)
    yield error(
      'unusable_link',
      `Mail programs do not open ${quoted(closed[0]!.href)}${more(closed.length)}: write the whole address, with https.`,
    );
  // The operator of the service decides about the address of its own links.
  const own = new Set([unsubscribeUrl, preferencesUrl, ...fileUrls]);
  const insecure = others.filter(({ href }) => /^http:/i.test(href) && !own.has(href));
  if (insecure.length > 0)
    yield warning(
      'insecure_link',
      `Use https instead of http for ${quoted(insecure[0]!.href)}${more(insecure.length)}.`,
    );
  const silent = others.filter(({ text }) => text.trim() === '');
  if (silent.length > 0)
    yield warning(
      'silent_link',
      `The link to ${quoted(silent[0]!.href)}${more(silent.length)} has no words: write a text, or the alt text of its image.`,
    );
}

function* imageChecks({ isMail, cids, logo }: CheckedMessage, { images, visible }: HtmlFacts): Generator<MessageCheck> {
  const bare = images.filter(({ alt }) => alt === null);
  if (bare.length > 0)
    yield warning(
      'no_alt',
      `Give ${quoted(bare[0]!.src)}${more(bare.length)} an alt text: it stands in for the image when that is blocked, and is read aloud. Write alt="" for decoration.`,
    );
  const chosen = images.filter(({ src }) => logo === null || !src.endsWith(logo));
  const insecure = chosen.filter(({ src }) => /^http:/i.test(src));
  if (insecure.length > 0)
    yield warning('insecure_image', `Use https for the image ${quoted(insecure[0]!.src)}${more(insecure.length)}.`);
  const unusable = images.filter(({ src }) => !/^(https?:\/\/.|cid:.|data:)/i.test(src));
  if (unusable.length > 0)
    yield error(
      'unusable_image',
      `The image ${quoted(unusable[0]!.src)}${more(unusable.length)} has no address that mail programs load: write the whole address, with https.`,
    );
  if (!isMail) return;
  const embedded = chosen.filter(({ src }) => /^data:/i.test(src));
  if (embedded.length > 0)
    yield warning(
      'data_image',
      `Gmail and Outlook do not show images in data: URLs (${embedded.length} of them): attach the file with a cid, or link to it.`,
    );
  const lost = images.filter(({ src }) => /^cid:/i.test(src) && !cids.includes(src.slice(4)));
  if (lost.length > 0)
    yield warning(
      'missing_inline_image',
      `No attachment here has the cid of ${quoted(lost[0]!.src)}${more(lost.length)}: trigger the event with a file that has it.`,
    );
  const remote = images.filter(({ src }) => /^https?:/i.test(src));
  if (images.length > 0 && visible < MIN_VISIBLE)
    yield warning(
      'only_images',
      'The mail is almost only images, and mail programs block them: write what matters as text.',
    );
  else if (remote.length > 0)
    yield hint(
      'remote_images',
      `Many mail programs block remote images (${remote.length} here) until the reader allows them: the mail must be readable without them.`,
    );
}

function* contrastChecks({ faint }: HtmlFacts): Generator<MessageCheck> {
  if (faint.length === 0) return;
  const { text, ratio } = faint.reduce((least, each) => (each.ratio < least.ratio ? each : least));
  yield warning(
    'low_contrast',
    `${quoted(text)}${more(faint.length)} is hard to read: its contrast to the background is ${ratio.toFixed(1)}, and 4.5 is needed. Use a darker or a lighter color.`,
  );
}

function* sizeChecks({ isMail, html }: CheckedMessage, { isWhole }: HtmlFacts): Generator<MessageCheck> {
  const bytes = Buffer.byteLength(html);
  if (isMail && bytes > GMAIL_BYTES)
    yield warning(
      'clipped',
      `The HTML has ${Math.ceil(bytes / 1024)} KB, and Gmail cuts a mail after 102 KB, with the link to unsubscribe: make it shorter.`,
    );
  if (!isWhole)
    yield warning('unchecked', 'The HTML is too long or too deep: only its beginning was checked. Make it simpler.');
}

function* limitChecks({ subject, text, rich, limits }: CheckedMessage): Generator<MessageCheck> {
  const parts = { subject, text };
  for (const [part, content] of Object.entries(parts) as ['subject' | 'text', string][]) {
    const most = limits[part] ?? Infinity;
    if (content.length > most)
      yield warning(
        `${part}_cut`,
        `The ${part} has ${content.length} characters, and the channel takes ${most}: its end is cut. Make it shorter.`,
      );
  }
  const problem = dataProblem(rich, limits);
  if (problem !== null) yield error('data_large', `The message cannot be sent: ${problem}.`);
  const { bytes = Infinity, cutsText = false } = limits;
  const size = Buffer.byteLength(JSON.stringify({ ...rich, left_out: undefined, subject, text }));
  if (size <= bytes) return;
  const start = `The message has more than ${size} bytes, and the channel takes ${bytes}`;
  yield cutsText
    ? warning('text_cut', `${start}: the end of its text is cut. Make it shorter.`)
    : error('message_large', `${start}: make it shorter.`);
}

function* phoneChecks({ isPush, subject, text }: CheckedMessage): Generator<MessageCheck> {
  if (!isPush) return;
  const [title, body] = [[...subject].length, [...text].length];
  if (title === 0)
    yield hint('no_title', 'The message has no title: phones show only its text below the name of the app.');
  if (title > PHONE_TITLE)
    yield hint(
      'title_long',
      `The title has ${title} characters, and phones show about ${PHONE_TITLE}: put the important words first.`,
    );
  if (body > PHONE_TEXT)
    yield hint(
      'text_long',
      `The text has ${body} characters, and a locked phone shows about ${PHONE_TEXT}: put the important words first.`,
    );
}

function quoted(text: string): string {
  const line = text.slice(0, MAX_EXCERPT).replace(/\s+/g, ' ').trim();
  return `“${line}${text.length > MAX_EXCERPT ? '…' : ''}”`;
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

const more = (number: number): string => (number > 1 ? ` and ${number - 1} more` : '');

function list(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
