import { escapeText } from '../../../platform/http/html-page.js';
import type { HtmlPage } from '../../../platform/http/html-page.js';
import { maskedAddress, paragraph, recipientPage } from '../recipient-layout.js';
import { speak } from '../texts.js';
import type { Language, TextName } from '../texts.js';
import type { MutingRecipient } from './mute-page.service.js';
import { dateIn } from './muted-list.js';

/** What the link mutes, and one button: to mute it, or to take that back. */
export function mutePage(recipient: MutingRecipient, language: Language, link: string, isUndone = false): HtmlPage {
  const say = speak(language, recipient.pageTexts);
  const { organization, email, thread, mutedUntil, timeZone, organizationZone } = recipient;
  const date = dateIn(language, timeZone ?? organizationZone ?? 'UTC');
  const names = {
    ...{ organization, thread: thread.value, address: maskedAddress(email) },
    date: mutedUntil ? date(mutedUntil) : '',
  };
  const button = (action: string, name: TextName, kind = '') =>
    `<form method="post" action="${escapeText(action)}"><button${kind && ` class="${kind}"`}>${escapeText(say(name))}</button></form>`;
  const body = [
    ...(isUndone && !mutedUntil ? [`<p class="notice" role="status">${escapeText(say('unmuted', names))}</p>`] : []),
    paragraph(say(mutedUntil ? 'muted_from' : 'mute_about', names)),
    mutedUntil ? button(`${link}/undo`, 'unmute', 'quiet') : button(link, 'mute'),
  ];
  const title = say(mutedUntil ? 'muted_title' : 'mute_title', names);
  return recipientPage({ language, brand: recipient, link, title, body: body.join('\n') });
}
