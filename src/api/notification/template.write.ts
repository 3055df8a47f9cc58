import { channelsBySlug } from '../channel/channel-ids.js';
import { suggest } from '../../platform/field/error/closest.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { differencesOf, putRow } from '../../platform/database/put-row.js';
import type { Difference } from '../../platform/database/put-row.js';
import { templateMode } from '../../rules/ruleset/template-mode.js';
import { TEMPLATE_PARTS } from '../../rules/template/template.js';
import { templateField } from './notification-templates.js';
import type { Inspect, TemplateFields } from './notification-templates.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Transaction } from '../../platform/database/transaction.js';

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
): Promise<Difference[]> {
  const { organizationId } = place;
  const channels = await channelsBySlug(tx, place);
  const before = await tx.template.findMany({
    where: { notificationId },
    orderBy: { id: 'asc' },
    include: { channel: { select: { slug: true } } },
  });
  const wanted = new Map<number, Required<TemplateFields>>();
  for (const entry of entries) {
    const { channel: slug, subject = null, text = null, html = null, markdown = null } = entry;
    const channel = channels.get(slug);
    if (!channel) {
      errors[templateField(slug)] = [
        fieldError('not_found', `there is no channel ${slug}${suggest(slug, [...channels.keys()].sort())}`),
      ];
      continue;
    }
    const parts = { subject, text, html, markdown };
    const { per, errors: ofPer } = templateMode(channel, entry.per, inspect(entry).userParts, dispatchers);
    for (const [field, sentences] of Object.entries(ofPer)) errors[templateField(slug, field)] = sentences;
    wanted.set(channel.id, { channel: slug, ...parts, per });
  }
  for (const [channelId, { channel: _, ...parts }] of wanted) {
    const row = before.find((template) => template.channelId === channelId) ?? null;
    await putRow(
      row,
      parts,
      () => tx.template.create({ data: { organizationId, notificationId, channelId, ...parts } }),
      (data) => tx.template.update({ where: { id: row?.id }, data }),
    );
  }
  await tx.template.deleteMany({ where: { notificationId, channelId: { notIn: [...wanted.keys()] } } });
  // A plan must tell a channel of the organization from the project's channel that hides it.
  const labelOf = (slug: string, id: number) => (channels.get(slug)?.id === id ? slug : `${slug} of the organization`);
  const stored = before.map(({ channelId, channel, ...parts }) => [labelOf(channel.slug, channelId), parts] as const);
  return differencesOf(partsOf(stored), partsOf([...wanted.values()].map(({ channel, ...parts }) => [channel, parts])));
}

/** One entry for each part, such as `templates.mail.subject`, so that a plan shows only the changed parts. */
function partsOf(
  templates: (readonly [channel: string, parts: Omit<TemplateFields, 'channel'>])[],
): Record<string, unknown> {
  const parts = templates.flatMap(([channel, template]) =>
    ([...TEMPLATE_PARTS, 'per'] as const).map((part) => [templateField(channel, part), template[part]] as const),
  );
  return Object.fromEntries(parts);
}
