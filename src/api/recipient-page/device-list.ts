import { escapeText } from '../../platform/http/html-page.js';
import type { Language, Say } from './texts.js';

/** A device as the page shows it. */
export interface PageDevice {
  app: string;
  device: string;
  platform: 'ios' | 'android' | 'web' | 'other';
  name: string;
  lastSeenAt: Date | null;
}

/** `other` is known by its app alone. */
const PLATFORMS = { ios: 'iOS', android: 'Android', web: null, other: null };

/** The devices of the user, each with a button in a form of its own: the choices above are not part of it. Empty: there is none. */
export function deviceList(devices: PageDevice[], language: Language, zone: string, say: Say): string[] {
  if (devices.length === 0) return [];
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone });
  return [
    `<h2>${escapeText(say('devices'))}</h2>`,
    `<p>${escapeText(say('devices_about'))}</p>`,
    ...devices.map((device) => row(device, date, say)),
  ];
}

function row(device: PageDevice, date: Intl.DateTimeFormat, say: Say): string {
  const name = deviceName(device, say);
  const seen = device.lastSeenAt ? say('last_seen', { date: date.format(device.lastSeenAt) }) : '';
  const remove = escapeText(say('remove'));
  return [
    `<form method="post"><fieldset><legend>${escapeText(name)}</legend>`,
    seen && `<p>${escapeText(seen)}</p>`,
    `<input type="hidden" name="app" value="${escapeText(device.app)}">`,
    `<button class="quiet" name="remove" value="${escapeText(device.device)}" aria-label="${remove}: ${escapeText(name)}">${remove}</button>`,
    '</fieldset></form>',
  ].join('');
}

export function deviceName({ name, app, platform }: Pick<PageDevice, 'name' | 'app' | 'platform'>, say: Say): string {
  const kind = platform === 'web' ? say('webpush') : PLATFORMS[platform];
  const parts = [name || null, kind, app === 'webpush' ? null : app];
  return parts.filter((part) => part !== null).join(', ');
}
