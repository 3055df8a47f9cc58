import { channelsBySlug } from '../channel/channel-ids.js';
import { fragmentNames, noFragment } from '../layout/fragments.js';
import type { FragmentNames } from '../layout/fragments.js';
import { suggest } from '../../platform/field/error/closest.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { differencesOf, jsonOrNull, putRow } from '../../platform/database/put-row.js';
import type { Difference } from '../../platform/database/put-row.js';
import { checkPartsOfChannel, templateMode } from '../../rules/ruleset/template-mode.js';
import { mjmlOf, withHtml, withMjml } from '../../rules/template/mjml/convert-parts.js';
import type { ByLanguage } from '../../rules/template/mjml/convert-parts.js';
import { leavesOf } from '../../rules/template/rich/rich.js';
import type { RichParts } from '../../rules/template/rich/rich.js';
import { allSourcesOf } from '../../rules/template/template.js';
import type { TranslatedParts } from '../../rules/template/template.js';
import { templateField } from './notification-templates.js';
import type { Inspect, TemplateFields } from './notification-templates.js';
import { translatedFrom, translationGaps } from '../../rules/language/translation-gaps.js';
import type { TranslatedFrom, TranslationGap } from '../../rules/language/translation-gaps.js';
import { keyErrors } from '../messages/key-errors.js';
import { projectKeys } from '../messages/project-keys.js';
import { readTranslations } from './read-translations.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Template } from '../../platform/database/generated/prisma/client.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { TemplateReport } from '../../rules/template/template-fields.js';

export interface NotificationContext {
  tx: Transaction;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  inspect: Inspect;
}

export interface EventOwner {
  organizationId: number;
  projectId: number;
  eventId: number;
}

/** Replaces the templates of a notification. Adds an error for each template that its channel cannot use. */
export async function setTemplates(
  { tx, dispatchers, inspect }: NotificationContext,
  place: EventOwner,
  notificationId: number,
  entries: TemplateFields[],
  errors: FieldErrors,
): Promise<WrittenTemplates> {
  const { organizationId } = place;
  const channels = await channelsBySlug(tx, place);
  const before = await tx.template.findMany({
    where: { notificationId },
    orderBy: { id: 'asc' },
    include: { channel: { select: { slug: true } } },
  });
  const wanted = new Map<number, WantedTemplate>();
  const gaps: TranslationGap[] = [];
  const keys = await knownKeys(tx, place, entries, inspect);
  const names = await namesFor(tx, place, entries, inspect);
  for (const entry of entries) {
    const { channel: slug, subject = null, text = null, html = null, markdown = null, mjml = null } = entry;
    const layout = entry.layout?.trim() || null;
    const headers = entry.headers && Object.keys(entry.headers).length > 0 ? entry.headers : null;
    const sender = { from: entry.from?.trim() || null, reply_to: entry.reply_to?.trim() || null, headers };
    const channel = channels.get(slug);
    if (!channel) {
      errors[templateField(slug)] = [
        fieldError('not_found', `there is no channel ${slug}${suggest(slug, [...channels.keys()].sort())}`),
      ];
      continue;
    }
    const read = readTranslations(entry.translations);
    const translations = 'errors' in read ? null : read.translations;
    const report = inspect(entry);
    const rich = richIn(entry);
    const given = { subject, text, html, markdown, mjml, ...sender, ...rich, layout, translations };
    const { per, errors: ofPer } = templateMode(channel, entry.per, report.userParts, dispatchers);
    const ofChannel = checkPartsOfChannel(channel, { ...sender, ...rich }, dispatchers);
    const ofNames = names ? nameErrors(layout, report, names) : {};
    for (const [field, sentences] of Object.entries({
      ...ofPer,
      ...ofChannel,
      ...keyErrors(report.keys, keys),
      ...ofNames,
    }))
      errors[templateField(slug, field)] = sentences;
    const old = before.find(({ channelId }) => channelId === channel.id);
    const from = translations && translatedFrom(given, translations, beforeOf(old), 'errors' in read ? {} : read.of);
    for (const gap of from ? translationGaps(given, translations, from) : [])
      gaps.push({ ...gap, field: templateField(slug, gap.field) });
    const messageKeys = [...new Set(report.keys.map(({ key }) => key))].sort();
    const partials = [...new Set(report.partials.map(({ name }) => name))].sort();
    const columns = { ...columnsOf(given, report.html), translatedFrom: from, messageKeys, partials, per };
    wanted.set(channel.id, { channel: slug, given: { ...given, per }, columns });
  }
  for (const [channelId, { columns }] of wanted) {
    const row = before.find((template) => template.channelId === channelId) ?? null;
    await putRow(
      row,
      columns,
      () => tx.template.create({ data: { organizationId, notificationId, channelId, ...stored(columns) } }),
      (data) => tx.template.update({ where: { id: row?.id }, data: stored(data) }),
    );
  }
  await tx.template.deleteMany({ where: { notificationId, channelId: { notIn: [...wanted.keys()] } } });
  // A plan must tell a channel of the organization from the project's channel that hides it.
  const labelOf = (slug: string, id: number) => (channels.get(slug)?.id === id ? slug : `${slug} of the organization`);
  const old = before.map(({ channel, ...row }) => [labelOf(channel.slug, row.channelId), partsIn(row)] as const);
  const now = [...wanted.values()].map(({ channel, given }) => [channel, given] as const);
  return { differences: differencesOf(partsOf(old), partsOf(now)), gaps };
}

interface WrittenTemplates {
  differences: Difference[];
  /** Texts that are not translated, or not again. */
  gaps: TranslationGap[];
}

interface WantedTemplate {
  channel: string;
  /** As it was written, for plans. */
  given: Omit<TemplateFields, 'channel'>;
  columns: Columns;
}

/** The translations of a template as they were written before. */
function beforeOf(row: Template | undefined) {
  const translations = row && partsIn(row).translations;
  return translations ? { translations, from: (row.translatedFrom ?? {}) as TranslatedFrom } : null;
}

/** The keys of the project's messages, if a template uses any. They stay until the transaction ends. */
async function knownKeys(
  tx: Transaction,
  { projectId }: EventOwner,
  entries: TemplateFields[],
  inspect: Inspect,
): Promise<ReadonlySet<string>> {
  return entries.every((entry) => inspect(entry).keys.length === 0) ? new Set() : projectKeys(tx, projectId);
}

/**
 * The layouts and partials that the templates may use; null if they use none. Nobody may change these until the end of the transaction: the change
 * would not find the templates that are being written.
 */
async function namesFor(
  tx: Transaction,
  place: EventOwner,
  entries: TemplateFields[],
  inspect: Inspect,
): Promise<FragmentNames | null> {
  if (!entries.some((entry) => usesFragments(entry, inspect))) return null;
  await lockRows(tx, 'organizations', [place.organizationId], 'share');
  return fragmentNames(tx, place);
}

/** Whether a template has a layout or partials. */
export const usesFragments = (entry: TemplateFields, inspect: Inspect) =>
  !!entry.layout || inspect(entry).partials.length > 0;

function nameErrors(layout: string | null, report: TemplateReport, { layouts, partials }: FragmentNames): FieldErrors {
  const errors: FieldErrors = {};
  if (layout !== null && !layouts.has(layout)) errors.layout = [noFragment('layout', layout, layouts)];
  for (const { part, name } of report.partials)
    if (!partials.has(name)) (errors[part] ??= []).push(noFragment('partial', name, partials));
  return errors;
}

type Given = Omit<Required<TemplateFields>, 'channel' | 'per' | 'messages'>;

type Columns = ReturnType<typeof columnsOf> &
  Pick<Template, 'messageKeys' | 'partials' | 'per'> & { translatedFrom: TranslatedFrom | null };

/** `html`: what its MJML became. */
const columnsOf = (given: Given, html: TemplateReport['html']) => {
  const { from: sendFrom, reply_to: replyTo, url, image, actions, data, template, ...parts } = withHtml(given, html);
  return { ...parts, sendFrom, replyTo, rich: setIn({ url, image, actions, data, template }), mjml: mjmlOf(given) };
};

/** What a template has besides its text; blanks are nothing. */
const richIn = ({ url, image, actions, data, template }: RichParts) => ({
  url: url?.trim() || null,
  image: image?.trim() || null,
  actions: actions && actions.length > 0 ? actions.map(({ label, url: target }) => ({ label, url: target })) : null,
  data: data && Object.keys(data).length > 0 ? data : null,
  template: template
    ? { name: template.name, language: template.language, parameters: template.parameters ?? null }
    : null,
});

/** Only what is set; null: nothing. */
function setIn(rich: RichParts): RichParts | null {
  const set = Object.entries(rich).filter(([, value]) => value !== null && value !== undefined);
  return set.length > 0 ? Object.fromEntries(set) : null;
}

/** A template as it was written. */
const partsIn = ({ sendFrom, replyTo, headers, rich, translations, mjml, ...row }: Template) =>
  withMjml(
    {
      ...row,
      ...{ from: sendFrom, reply_to: replyTo, headers: headers as TranslatedParts['headers'] },
      ...(rich as RichParts | null),
      ...{ translations: translations as TranslatedParts['translations'], mjml: null as string | null },
    },
    mjml as ByLanguage | null,
  );

/** Prisma needs its own value for a JSON column that is null. */
const stored = <Data extends Partial<Columns>>(data: Data) => ({
  ...data,
  translatedFrom: jsonOrNull(data.translatedFrom),
  headers: jsonOrNull(data.headers),
  rich: jsonOrNull(data.rich),
  translations: jsonOrNull(data.translations),
  mjml: jsonOrNull(data.mjml),
});

/** One entry for each part, such as `templates.mail.subject`, so that a plan shows only the changed parts. */
function partsOf(
  templates: (readonly [channel: string, parts: Omit<TemplateFields, 'channel'>])[],
): Record<string, unknown> {
  const parts = templates.flatMap(([channel, template]) =>
    [
      ...allSourcesOf(template),
      ...(template.data ? leavesOf(template.data, 'data') : []),
      ...(template.template ? leavesOf(template.template, 'template') : []),
      ['layout', template.layout] as const,
      ['per', template.per] as const,
    ].map(([part, value]) => [templateField(channel, part), value]),
  );
  return Object.fromEntries(parts) as Record<string, unknown>;
}
