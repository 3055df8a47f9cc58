import type { ClientBase } from 'pg';
import { channelIds } from '../channel/channel-ids.js';
import { checkAudience } from '../condition/audience-check.js';
import { checkWhen } from '../condition/when.js';
import { listKey } from '../distribution-list/list-key.js';
import type { FieldErrors } from '../http/problem.js';
import { differencesOf, upsertRow } from '../prisma/upsert-row.js';
import type { Difference, Upserted, Values } from '../prisma/upsert-row.js';
import { checkTemplate } from '../template/template.js';

export interface EventPlace {
  organizationId: number;
  projectId: number;
  eventId: number;
}

export interface TemplateFields {
  /** Slug of a channel of the project or the organization. */
  channel: string;
  subject?: string | null;
  text?: string | null;
  html?: string | null;
  markdown?: string | null;
}

/** What is undefined stays as it is. */
export interface NotificationFields {
  name?: string;
  enabled?: boolean;
  when?: string | null;
  audience?: Record<string, unknown> | null;
  /** Names of lists of the project. */
  distribution_lists?: string[];
  templates?: TemplateFields[];
}

/**
 * Makes one rule of an event agree with the fields, or says what is wrong with each. Whoever calls it renews the event's ruleset, and
 * takes back all of it when something is wrong.
 */
export async function putNotification(
  client: ClientBase,
  place: EventPlace,
  identity: Values,
  fields: NotificationFields,
): Promise<Upserted | { errors: FieldErrors }> {
  const errors = checkFields(fields);
  if (Object.keys(errors).length > 0) return { errors };
  const { name, enabled, when, audience, distribution_lists: lists, templates } = fields;
  const own = { organization_id: place.organizationId, event_id: place.eventId, ...identity };
  const row = await upsertRow(client, 'notifications', own, { name, enabled, '"when"': when, audience });
  const differences = [...row.differences];
  if (lists) differences.push(...(await setLists(client, place, row.id, lists, errors)));
  if (templates) differences.push(...(await setTemplates(client, place, row.id, templates, errors)));
  if (!(await reachesSomeone(client, row.id))) errors.distribution_lists ??= ['names nobody, and there is no audience'];
  if (Object.keys(errors).length > 0) return { errors };
  return { id: row.id, verb: row.verb ?? (differences.length > 0 ? 'update' : undefined), differences };
}

function checkFields({ when, audience, templates = [] }: NotificationFields): FieldErrors {
  const errors: FieldErrors = {};
  const say = (field: string, sentence: string) => (errors[field] ??= []).push(sentence);
  const problem = typeof when === 'string' ? checkWhen(when) : null;
  if (problem) say('when', problem);
  for (const sentence of audience ? checkAudience(audience) : []) {
    const [place = '', ...words] = sentence.split(': ');
    say(place, words.join(': '));
  }
  for (const { channel, subject, text, html, markdown } of templates) {
    if (!text && !html && !markdown) say(`templates.${channel}`, 'has neither text, html nor markdown');
    const parts = { subject: subject ?? '', text: text ?? '', html: html ?? '', markdown: markdown ?? '' };
    for (const [part, sentences] of Object.entries(checkTemplate(parts)))
      for (const sentence of sentences ?? []) say(`templates.${channel}.${part}`, sentence);
  }
  return errors;
}

async function reachesSomeone(client: ClientBase, id: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from notifications n where id = $1 and (audience is not null
       or exists (select from notification_lists l where l.notification_id = n.id))`,
    [id],
  );
  return rowCount === 1;
}

const LISTS = `
  select l.id, l.name, l.name_key key, u.notification_id is not null used
  from distribution_lists l left join notification_lists u on u.list_id = l.id and u.notification_id = $3
  where l.project_id = $1 and (l.name_key = any($2) or u.notification_id is not null) order by l.id`;

async function setLists(
  client: ClientBase,
  place: EventPlace,
  id: number,
  names: string[],
  errors: FieldErrors,
): Promise<Difference[]> {
  const keys = names.map(listKey);
  const { rows } = await client.query<{ id: number; name: string; key: string; used: boolean }>(LISTS, [
    place.projectId,
    keys,
    id,
  ]);
  const unknown = names.filter((_, i) => !rows.some(({ key }) => key === keys[i]));
  if (unknown.length > 0) errors.distribution_lists = unknown.map((name) => `there is no list ${name} in the project`);
  const before = rows.filter(({ used }) => used);
  const after = rows.filter(({ key }) => keys.includes(key));
  const ids = after.map((row) => row.id);
  await client.query('delete from notification_lists where notification_id = $1 and list_id <> all($2)', [id, ids]);
  await client.query(
    `insert into notification_lists (organization_id, notification_id, list_id)
     select $1, $2, unnest($3::int[]) on conflict do nothing`,
    [place.organizationId, id, ids],
  );
  const namesOf = (lists: { name: string }[]) => ({ distribution_lists: lists.map(({ name }) => name) });
  return differencesOf(namesOf(before), namesOf(after));
}

// A channel of the organization that one of the project hides has a name of its own.
const TEMPLATES = `
  select c.slug || case when h.id is null then '' else ' of the organization' end slug, t.subject, t.text, t.html, t.markdown
  from templates t join channels c on c.id = t.channel_id
  left join channels h on c.project_id is null and h.project_id = $2 and h.slug = c.slug
  where t.notification_id = $1 order by t.id`;

type TemplateRow = Required<Omit<TemplateFields, 'channel'>> & { slug: string };

async function setTemplates(
  client: ClientBase,
  { organizationId, projectId }: EventPlace,
  id: number,
  entries: TemplateFields[],
  errors: FieldErrors,
): Promise<Difference[]> {
  const templates = async () => partsOf((await client.query<TemplateRow>(TEMPLATES, [id, projectId])).rows);
  const channels = await channelIds(client, { organizationId, projectId });
  const before = await templates();
  const kept: number[] = [];
  for (const { channel, subject = null, text = null, html = null, markdown = null } of entries) {
    const channelId = channels.get(channel);
    if (channelId === undefined) {
      errors[`templates.${channel}`] = [`there is no channel ${channel}`];
      continue;
    }
    const identity = { organization_id: organizationId, notification_id: id, channel_id: channelId };
    await upsertRow(client, 'templates', identity, { subject, text, html, markdown });
    kept.push(channelId);
  }
  await client.query('delete from templates where notification_id = $1 and channel_id <> all($2)', [id, kept]);
  return differencesOf(before, await templates());
}

/** `templates.mail.subject` and so on: a change of one part shows that part. */
function partsOf(rows: TemplateRow[]): Record<string, unknown> {
  const parts = rows.flatMap(({ slug, ...texts }) =>
    Object.entries(texts).map(([part, text]) => [`templates.${slug}.${part}`, text] as const),
  );
  return Object.fromEntries(parts);
}
