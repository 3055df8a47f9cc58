import { parse } from 'yaml';
import { isObject } from '../../../platform/field/is-object.js';
import type { ConfigField } from '../../dispatcher.js';
import { sampleConfig } from '../example/sample.js';
import { plainSettings } from '../names.js';
import { answerScope, entryFor } from '../outcome.js';
import type { Example, OutcomeEntry, ProviderFile } from '../provider.js';
import { code, table } from './markdown.js';
import { reportsOf } from './reports-of.js';

/** A provider file and its text, which has what only people read. */
export interface WrittenProvider {
  provider: ProviderFile;
  text: string;
}

/** The part of a page that describes one provider, in Markdown. */
export function providerSection({ provider, text }: WrittenProvider): string {
  const written = parse(text) as Record<string, unknown>;
  const paragraphs = [
    `## ${provider.label} (\`${provider.type}\`)`,
    [addressOf(provider), sourceOf(provider, written), ...gapsIn(text)].join(' '),
    settingsOf(provider.fields),
    limitsOf(provider),
    outcomesOf(provider),
    `**Reports**: ${reportsOf(written.reports, provider)}`,
    `**Check of the settings**: ${checkOf(provider, written.test)}`,
  ];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

export function addressOf({ address, roomIf }: ProviderFile): string {
  if (address === null) return 'One room or service for all.';
  const kind = `an address of the kind ${code(address)}`;
  return roomIf === null ? `Needs ${kind}.` : `Needs ${kind}; with ${code(roomIf.text)} it is one room for all.`;
}

function sourceOf({ documentation }: ProviderFile, { checked }: Record<string, unknown>): string {
  if (documentation === null) return '';
  const day = typeof checked === 'string' ? `, read on ${checked}` : '';
  return `[Documentation of the provider](${documentation})${day}.`;
}

/** The comments that say what was not found. */
const gapsIn = (text: string): string[] =>
  [...text.matchAll(/^# (Not found in the documentation: .*)$/gm)].map(([, gap]) => gap!);

const settingsOf = (fields: readonly ConfigField[]): string =>
  table(
    ['setting', 'value', 'what'],
    fields.map((field) => [
      code(field.key),
      [valueOf(field), ...(field.required ? ['required'] : []), ...(field.secret ? ['secret'] : [])].join(', '),
      [field.label, ...(field.help ? [field.help] : [])].join('. '),
    ]),
  );

function valueOf({ kind, choices, min, max }: ConfigField): string {
  if (choices) return choices.map(code).join(', ');
  const from = min === undefined ? '' : ` from ${min}`;
  return `${kind}${from}${max === undefined ? '' : ` to ${max}`}`;
}

function limitsOf({ limits: { subject, text, bodyBytes, cutsText, attachments, refusesEmpty } }: ProviderFile): string {
  const parts = [
    ...(Number.isFinite(subject) ? [`subjects are cut to ${subject} characters`] : []),
    ...(Number.isFinite(text) ? [`texts are cut to ${text} characters`] : []),
    ...(Number.isFinite(bodyBytes)
      ? [`a request has at most ${bodyBytes} bytes: ${cutsText ? 'the text is cut' : 'a larger one is refused'}`]
      : []),
    ...(refusesEmpty ? ['a message without subject and text is refused'] : []),
    attachments ? 'messages carry files' : 'files are links',
  ];
  return `**Limits**: ${parts.join('; ')}.`;
}

/** A row for each outcome, with the examples that show it. What no entry says, the status decides. */
function outcomesOf(provider: ProviderFile): string {
  const shown = new Map<OutcomeEntry | undefined, string[]>();
  for (const example of provider.examples) {
    const entry = entryOf(provider, example);
    shown.set(entry, [...(shown.get(entry) ?? []), example.name]);
  }
  const rows = provider.outcomes.map((entry) => [
    code(entry.when.text),
    meaningOf(entry),
    (shown.get(entry) ?? []).join('; '),
  ]);
  const others = shown.get(undefined);
  return table(
    ['answer', 'meaning', 'examples'],
    [...rows, ...(others ? [['everything else', 'as the status says', others.join('; ')]] : [])],
  );
}

function entryOf(provider: ProviderFile, example: Example): OutcomeEntry | undefined {
  const settings = plainSettings(provider.fields, sampleConfig(provider, example));
  return entryFor(provider, answerScope(example.answer, settings));
}

function meaningOf({
  then,
  fault,
  cause,
  slowDown,
  setsAside,
  goneAt,
  retryAfter,
  about,
  providerId,
  withoutReportUrl,
}: OutcomeEntry): string {
  if (then === 'sent') return providerId === null ? 'sent' : `sent, with the id ${code(providerId.text)}`;
  const aside = setsAside ? ['a registered device is set aside'] : [];
  if (then === 'rejected') {
    const since = goneAt === null ? [] : [`gone since ${code(goneAt.text)}`];
    return [`rejected, fault of the ${fault}${cause === null ? '' : ` (${cause})`}`, ...since, ...aside].join(', ');
  }
  return [
    'tried again',
    ...(retryAfter === null ? [] : [`after ${code(retryAfter.text)} seconds`]),
    ...(withoutReportUrl ? ['at once without the URL of the reports'] : []),
    ...(slowDown ? ['the channel slows down'] : []),
    ...(about === 'recipient' ? ['it is about the recipient'] : []),
    ...(about === 'either' ? ['it is about the recipient or the channel'] : []),
    ...aside,
  ].join(', ');
}

function checkOf({ test }: ProviderFile, written: unknown): string {
  if (!test || !isObject(written) || !isObject(written.request)) return 'none; send a test message.';
  const { method = 'POST', url } = written.request;
  const source = test.documentation === null ? '' : ` ([documentation](${test.documentation}))`;
  const charged = test.isCharged ? ' The provider charges for it, so `carillon doctor` leaves it out.' : '';
  return `${code(`${String(method)} ${String(url)}`)}${source}, right if ${code(test.ok.text)}.${charged}`;
}
