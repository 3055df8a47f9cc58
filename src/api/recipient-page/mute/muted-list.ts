import { escapeText } from '../../../platform/http/html-page.js';
import type { MutedThread } from '../../preference/mute/mute.js';
import type { Language, Say } from '../texts.js';

/** What the user has muted, each with a button in a form of its own: the choices above are not part of it. Empty: there is nothing. */
export function mutedList(threads: MutedThread[], language: Language, zone: string, say: Say): string[] {
  if (threads.length === 0) return [];
  const date = dateIn(language, zone);
  return [
    `<h2>${escapeText(say('muted'))}</h2>`,
    `<p>${escapeText(say('muted_about'))}</p>`,
    ...threads.map((thread) => row(thread, date, say)),
  ];
}

function row({ id, value, applicationName, endsAt }: MutedThread, date: (at: Date) => string, say: Say): string {
  const unmute = escapeText(say('unmute'));
  return [
    `<form method="post"><fieldset><legend>${escapeText(value)}</legend>`,
    `<p>${escapeText(`${applicationName}. ${say('muted_until', { date: date(endsAt) })}`)}</p>`,
    `<button class="quiet" name="unmute" value="${id}" aria-label="${unmute}: ${escapeText(value)}">${unmute}</button>`,
    '</fieldset></form>',
  ].join('');
}

export function dateIn(language: Language, zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone });
  return (at) => format.format(at);
}
