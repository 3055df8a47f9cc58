import type { ClientBase } from 'pg';
import { listKey } from '../distribution-list/list-key.js';
import { checkAudience } from '../notification/audience-check.js';
import { renewRuleset } from '../notification/ruleset.js';
import { checkTemplate } from '../notification/template.js';
import { checkWhen } from '../notification/when.js';
import { differencesOf } from './change.js';
import type { Change, Difference } from './change.js';
import { channelIds } from './channels.js';
import { ProvisioningError } from './file.js';
import type { NotificationEntry, TemplateEntry } from './file.js';
import { upsertRow } from './rows.js';

export interface EventPlace {
  organizationId: number;
  projectId: number;
  eventId: number;
  /** As in `acme/shop/web/order-paid`. */
  name: string;
}

/** Makes the rules of an event agree with the file. A notification is one document: its lists and templates are replaced. */
export async function applyNotifications(
  client: ClientBase,
  place: EventPlace,
  entries: NotificationEntry[],
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const entry of entries) {
    const name = `${place.name}/${entry.name}`;
    check(entry, name);
    const identity = { organization_id: place.organizationId, event_id: place.eventId, name: entry.name };
    const values = { enabled: entry.enabled, '"when"': entry.when ?? null, audience: entry.audience ?? null };
    const { id, verb, differences: own } = await upsertRow(client, 'notifications', identity, values);
    const lists = await setLists(client, place, id, listNames(entry), name);
    const templates = await setTemplates(client, place, id, entry.templates ?? [], name);
    const differences = [...own, ...lists, ...templates];
    if (verb === 'create') changes.push({ verb, noun: 'notification', name });
    else if (differences.length > 0) changes.push({ verb: 'update', noun: 'notification', name, differences });
  }
  await renewRuleset(client, place.eventId);
  return changes;
}

const listNames = ({ distribution_list: one, distribution_lists: many = [] }: NotificationEntry) => [
  ...(one ? [one] : []),
  ...many,
];

function check(entry: NotificationEntry, name: string): void {
  const problems: string[] = [];
  if (entry.when !== undefined) {
    const problem = checkWhen(entry.when);
    if (problem) problems.push(`when: ${problem}`);
  }
  if (entry.audience !== undefined) problems.push(...checkAudience(entry.audience));
  if (entry.audience === undefined && listNames(entry).length === 0)
    problems.push('names neither a distribution_list nor an audience');
  for (const { channel, ...parts } of entry.templates ?? []) {
    if (!parts.text && !parts.html && !parts.markdown)
      problems.push(`template for ${channel}: has neither text, html nor markdown`);
    for (const [part, sentences] of Object.entries(checkTemplate(parts))) {
      problems.push(...(sentences ?? []).map((sentence) => `template for ${channel}: ${part} ${sentence}`));
    }
  }
  if (problems.length > 0) throw new ProvisioningError(problems.map((problem) => `notification ${name}: ${problem}`));
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
  notification: string,
): Promise<Difference[]> {
  const keys = names.map(listKey);
  const { rows } = await client.query<{ id: number; name: string; key: string; used: boolean }>(LISTS, [
    place.projectId,
    keys,
    id,
  ]);
  const unknown = names.filter((_, i) => !rows.some(({ key }) => key === keys[i]));
  if (unknown.length > 0) {
    throw new ProvisioningError([
      `notification ${notification}: there is no distribution list ${unknown.join(', ')} in its project`,
    ]);
  }
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

type TemplateRow = Required<Omit<TemplateEntry, 'channel'>> & { slug: string };

async function setTemplates(
  client: ClientBase,
  { organizationId, projectId }: EventPlace,
  id: number,
  entries: TemplateEntry[],
  notification: string,
): Promise<Difference[]> {
  const templates = async () => partsOf((await client.query<TemplateRow>(TEMPLATES, [id, projectId])).rows);
  const channels = await channelIds(client, { organizationId, projectId });
  const before = await templates();
  const kept: number[] = [];
  for (const { channel, subject = null, text = null, html = null, markdown = null } of entries) {
    const channelId = channels.get(channel);
    if (channelId === undefined)
      throw new ProvisioningError([`notification ${notification}: there is no channel ${channel}`]);
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
