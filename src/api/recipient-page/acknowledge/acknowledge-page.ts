import { escapeText } from '../../../platform/http/html-page.js';
import type { HtmlPage } from '../../../platform/http/html-page.js';
import { NOTE_MAX_LENGTH } from '../../occurrence/acknowledge/acknowledge.dto.js';
import { maskedAddress, paragraph, recipientPage } from '../recipient-layout.js';
import { speak } from '../texts.js';
import type { Language, Say } from '../texts.js';
import type { AcknowledgedBy, AskedRecipient } from './acknowledge-page.service.js';

/** The message, and one button; or why there is nothing to acknowledge any more. */
export function acknowledgePage(
  asked: AskedRecipient,
  language: Language,
  link: string,
  isNoteTooLong = false,
): HtmlPage {
  const say = speak(language, asked.pageTexts);
  const { organization, email, title, state, acknowledgedBy, createdAt } = asked;
  const time = timeIn(language, asked);
  const about = { organization, address: maskedAddress(email), time: time(createdAt) };
  const body = [
    ...(isNoteTooLong ? [notice(say('long_note', { count: NOTE_MAX_LENGTH.toLocaleString(language) }))] : []),
    ...(acknowledgedBy ? acknowledged(acknowledgedBy, time, say) : []),
    ...(state === 'open' || state === 'acknowledged' ? [] : [notice(say(`acknowledge_${state}`))]),
    paragraph(say('acknowledge_sent', about)),
    ...(state === 'open' ? [paragraph(say('acknowledge_about')), form(link, say)] : []),
  ];
  return recipientPage({ language, brand: asked, link, title, body: body.join('\n') });
}

function acknowledged(by: AcknowledgedBy, time: (at: Date) => string, say: Say): string[] {
  const name = `${by.firstName} ${by.lastName}`.trim() || maskedAddress(by.email);
  const values = { name, time: time(new Date(by.at)) };
  const who = say(by.isOwn ? 'acknowledged_by_you' : 'acknowledged_by', values);
  return [notice(who), ...(by.note === '' ? [] : [paragraph(say('note_is', { note: by.note }))])];
}

const notice = (text: string) => `<p class="notice" role="status">${escapeText(text)}</p>`;

const form = (link: string, say: Say) =>
  [
    `<form method="post" action="${escapeText(link)}">`,
    `<label class="field">${escapeText(say('note'))}<input name="note" maxlength="${NOTE_MAX_LENGTH}" autocomplete="off"></label>`,
    `<button>${escapeText(say('acknowledge'))}</button></form>`,
  ].join('');

/** In the time zone of the user, else of the organization, which the text names. */
function timeIn(language: Language, { timeZone, organizationZone }: AskedRecipient): (at: Date) => string {
  const zone = timeZone ?? organizationZone ?? 'UTC';
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone: zone });
  return (at) => format.format(at);
}
