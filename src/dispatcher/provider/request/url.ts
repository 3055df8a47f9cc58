import type { ConfigField } from '../../dispatcher.js';
import type { FilePlace } from '../read/place.js';
import { SettingProblem } from '../setting-problem.js';
import { textValue, type KnownNames, type Variables } from '../value.js';

/** The address of a request. */
export interface ProviderUrl {
  /** The settings that decide the host; empty: it is always the same. */
  hosts: readonly string[];
  /** `origin` replaces the scheme and the host that the file has. */
  render(names: Variables, origin?: string): URL;
}

const SETTING = /^\{\{\s*settings\.([a-z0-9_]+)\s*\}\}/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Why a value cannot be a part of a host name. */
export const problemWithLabel = (value: string): string | null =>
  LABEL.test(value) ? null : 'must be a part of a host name: letters, digits and hyphens';

/**
 * Reads a URL. Scheme and host are fixed, or come from settings that are checked as such: `{{ settings.url }}/path` with a setting of kind
 * `url`, or `https://api.{{ settings.region }}.acme.test/path` with a choice or a setting that is marked with `host: true`. Outputs after the host
 * are encoded, so that none of them can change the path.
 */
export function readUrl(place: FilePlace, known: KnownNames, fields: readonly ConfigField[]): ProviderUrl {
  const source = place.text();
  const whole = SETTING.exec(source);
  if (whole) return fromSetting(place, known, fields, whole);
  const [, scheme, host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/s.exec(source) ?? [];
  if (scheme === undefined || host === '')
    place.fail('must start with https:// and a host, or with {{ settings.NAME }} of kind url');
  const hosts = host.match(/\{\{.*?\}\}/g)?.map((output) => hostSetting(place, fields, output)) ?? [];
  const makeHost = textValue(place, known, checkedLabel, host);
  const makeRest = rest === '' ? () => '' : textValue(place, known, encodedPart, rest);
  if (hosts.length === 0) place.try(() => new URL(scheme + host));
  return {
    hosts,
    render: (names, origin) => {
      const own = new URL(`${scheme}${String(makeHost(names))}`);
      return new URL(`${origin ?? own.origin}${String(makeRest(names)).replace(/^(?!\/)/, '/')}`);
    },
  };
}

function fromSetting(
  place: FilePlace,
  known: KnownNames,
  fields: readonly ConfigField[],
  [output, key = '']: RegExpExecArray,
): ProviderUrl {
  if (fields.find((field) => field.key === key)?.kind !== 'url')
    place.fail(`must start with a setting of kind url, and ${key} is none`);
  const rest = place.text().slice(output.length);
  if (rest !== '' && !rest.startsWith('/')) place.fail('must go on with a / after the setting');
  const makeRest = rest === '' ? () => '' : textValue(place, known, encodedPart, rest);
  return {
    hosts: [key],
    render: (names) => {
      const base = String((names.settings as Variables)[key]);
      return new URL(rest === '' ? base : `${base.replace(/\/+$/, '')}${String(makeRest(names))}`);
    },
  };
}

function hostSetting(place: FilePlace, fields: readonly ConfigField[], output: string): string {
  const key = SETTING.exec(output)?.[1];
  const field = fields.find((each) => each.key === key);
  if (field && (field.kind === 'choice' || field.problem === problemWithLabel)) return field.key;
  return place.fail(`has ${output} in its host: only a choice, or a setting with host: true, can be there`);
}

function checkedLabel(text: string): string {
  const problem = text.split('.').map(problemWithLabel).find(Boolean);
  if (problem) throw new SettingProblem(`a part of the host name ${problem}`);
  return text;
}

/** A colon stays: it means nothing there, and Telegram's tokens have one. */
function encodedPart(text: string): string {
  if (/^\.*$/.test(text)) throw new Error('a part of the URL is empty or has only dots');
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
