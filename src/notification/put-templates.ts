import { channelIds } from '../channel/channel-ids.js';
import type { FieldErrors } from '../http/problem.js';
import { differencesOf, putRow } from '../prisma/put-row.js';
import type { Difference } from '../prisma/put-row.js';
import type { Transaction } from '../prisma/transaction.js';
import { TEMPLATE_PARTS } from '../template/template.js';
import type { TemplateParts } from '../template/template.js';
import { templateField } from './notification-templates.js';
import type { TemplateFields } from './notification-templates.js';
import type { EventPlace } from './put-notification.js';

/** Makes the templates of a notification those that are given; `errors` gets a sentence for each that names no channel. */
export async function setTemplates(
  tx: Transaction,
  place: EventPlace,
  notificationId: number,
  entries: TemplateFields[],
  errors: FieldErrors,
): Promise<Difference[]> {
  const { organizationId } = place;
  const channels = await channelIds(tx, place);
  const before = await tx.template.findMany({
    where: { notificationId },
    orderBy: { id: 'asc' },
    include: { channel: { select: { slug: true } } },
  });
  const wanted = new Map<number, Required<TemplateFields>>();
  for (const { channel, subject = null, text = null, html = null, markdown = null } of entries) {
    const channelId = channels.get(channel);
    if (channelId === undefined) errors[templateField(channel)] = [`there is no channel ${channel}`];
    else wanted.set(channelId, { channel, subject, text, html, markdown });
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
  // A channel of the organization that one of the project hides has a name of its own.
  const labelOf = (slug: string, id: number) => (channels.get(slug) === id ? slug : `${slug} of the organization`);
  const stored = before.map(({ channelId, channel, ...parts }) => [labelOf(channel.slug, channelId), parts] as const);
  return differencesOf(partsOf(stored), partsOf([...wanted.values()].map(({ channel, ...parts }) => [channel, parts])));
}

/** `templates.mail.subject` and so on: a change of one part shows that part. */
function partsOf(templates: (readonly [channel: string, parts: TemplateParts])[]): Record<string, unknown> {
  const parts = templates.flatMap(([channel, template]) =>
    TEMPLATE_PARTS.map((part) => [templateField(channel, part), template[part]] as const),
  );
  return Object.fromEntries(parts);
}
