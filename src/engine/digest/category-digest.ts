import type { Database } from '../../platform/database/database.js';
import { wantedLocale } from '../../rules/language/used-language.js';
import { digestTemplate } from '../../rules/render/digest-template.js';
import { renderMessages } from '../../rules/render/render-messages.js';
import type { TranslatedSource } from '../../rules/render/render-messages.js';
import type { RenderResult } from '../../rules/render/render-result.js';
import type { Renderer } from '../../rules/render/renderer.js';
import { renderContexts } from '../../rules/ruleset/message.js';
import type { Digest, MessageRecipient, Named, RenderedSubject, Subject } from '../../rules/ruleset/message.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { templateKey } from '../../rules/template/template.js';
import type { TranslatedParts } from '../../rules/template/template.js';
import type { Chunk } from '../deliver/chunk.js';
import { LOAD_RULESETS } from '../expand/expand-small.sql.js';
import { LOAD_ENTRIES } from './category-digest.sql.js';

/** A digest of a category, and its reader. */
interface DigestToRender {
  chunk: Pick<Chunk, 'subject' | 'template' | 'templateChannel' | 'dispatcher'>;
  recipient: MessageRecipient;
}

/** A message that a digest carries. */
interface Entry {
  /** The occurrence of the digest. */
  carrier: string;
  notification: number;
  occurrence: string;
  createdAt: Date;
  context: Record<string, unknown>;
  rulesetId: number | null;
  locale: string | null;
  event: Named;
  application: Named;
  project: Named;
  organization: Named;
}

/** Whether a message stands for messages of a category, each of which has a template of its own. */
export const isOfCategory = ({ digest }: Pick<Subject, 'digest'>): boolean => digest?.frequency !== undefined;

/** Renders digests of categories: their messages, each by its own template, and then the list of these. Two statements for all of them. */
export async function renderCategoryDigests(
  database: Database,
  renderer: Renderer,
  digests: DigestToRender[],
): Promise<RenderResult[]> {
  const ids = digests.map(({ chunk }) => chunk.subject.occurrence);
  const { rows } = await database.query<Entry>('load-entries', LOAD_ENTRIES, [ids]);
  const rulesets = await loadRulesets(database, rows);
  const results: RenderResult[] = [];
  for (const digest of digests) {
    const entries = rows.filter(({ carrier }) => carrier === digest.chunk.subject.occurrence);
    results.push(await renderDigest(renderer, digest, entries, rulesets));
  }
  return results;
}

async function loadRulesets(database: Database, entries: Entry[]): Promise<Map<number, Rule[]>> {
  const ids = [...new Set(entries.map(({ rulesetId }) => rulesetId).filter((id) => id !== null))];
  const { rows } = await database.query<{ id: number; rules: string }>('load-rulesets', LOAD_RULESETS, [ids]);
  return new Map(rows.map(({ id, rules }) => [id, JSON.parse(rules) as Rule[]]));
}

async function renderDigest(
  renderer: Renderer,
  { chunk, recipient: reader }: DigestToRender,
  entries: Entry[],
  rulesets: Map<number, Rule[]>,
): Promise<RenderResult> {
  const { subject, template, templateChannel, dispatcher } = chunk;
  const digest = subject.digest as Digest & { frequency: NonNullable<Digest['frequency']> };
  // One message is not a list: it is sent as it would have been.
  const isSingle = digest.count === 1 || entries.length === 0;
  if (isSingle)
    return (await renderMessages(renderer, [{ template, subject: { ...subject, digest: null }, reader }]))[0]!;
  const messages = entries.flatMap((entry) => {
    const source = templateOf(entry, templateChannel, rulesets);
    return source ? [{ template: source, subject: subjectOf(subject, entry), reader }] : [];
  });
  const rendered = await renderMessages(renderer, messages);
  const { locale } = wantedLocale({ user: reader.locale, organization: subject.recipients.locale });
  const { parts, digest: shown } = digestTemplate({
    ...{ locale, count: digest.count, frequency: digest.frequency, template: template.parts },
    entries: rendered.map((result, i) => ({ result, event: messages[i]!.subject.event.name })),
    category: subject.recipients.category?.name ?? subject.event.name,
    isLong: dispatcher.parts.includes('html'),
  });
  const contexts = renderContexts(subject, [reader]).map((context) => ({ ...context, digest: shown }));
  return (await renderer.render({ key: templateKey(parts), parts }, contexts))[0]!;
}

function subjectOf(digest: Subject, entry: Entry): RenderedSubject {
  const { occurrence, createdAt, context, locale, event, application, project, organization } = entry;
  return {
    ...{ occurrence, createdAt, context, event, application, project, organization, digest: null },
    ...{ channel: digest.channel, recipients: digest.recipients, locale: locale ?? undefined },
  };
}

/** The template of a message without its layout, which only the whole digest gets. Undefined: its channel has none any more. */
function templateOf(
  { rulesetId, notification }: Entry,
  channel: number,
  rulesets: Map<number, Rule[]>,
): TranslatedSource | undefined {
  const rule = rulesets.get(rulesetId ?? 0)?.find(({ id }) => id === notification);
  const own = rule?.templates.find((template) => template.channel === channel)?.parts;
  if (!own) return undefined;
  const { shared, ...parts } = own;
  const inner: TranslatedParts = {
    ...parts,
    layout: null,
    ...(shared && { shared: { ...shared, layout: undefined } }),
  };
  return { key: templateKey(inner), parts: inner };
}
