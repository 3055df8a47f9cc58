import type { ClientBase } from 'pg';
import { checkAudience } from '../notification/audience-check.js';
import { renewRuleset } from '../notification/ruleset.js';
import { checkTemplate } from '../notification/template.js';
import { checkWhen } from '../notification/when.js';
import { channelIds } from './channels.js';
import { ProvisioningError } from './file.js';
import type { NotificationEntry, TemplateEntry } from './file.js';
import { upsertRow } from './rows.js';
import type { Change } from './rows.js';

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
    const { id, verb } = await upsertRow(client, 'notifications', identity, values);
    const lists = await setLists(client, place, id, listNames(entry), name);
    const templates = await setTemplates(client, place, id, entry.templates ?? [], name);
    if (verb ?? (lists || templates)) changes.push({ verb: verb ?? 'update', noun: 'notification', name });
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

async function setLists(
  client: ClientBase,
  place: EventPlace,
  id: number,
  names: string[],
  notification: string,
): Promise<boolean> {
  const keys = names.map((name) => name.trim().toLowerCase());
  const { rows } = await client.query<{ id: number; name_key: string }>(
    'select id, name_key from distribution_lists where project_id = $1 and name_key = any($2)',
    [place.projectId, keys],
  );
  const unknown = names.filter((_, i) => !rows.some(({ name_key: key }) => key === keys[i]));
  if (unknown.length > 0) {
    throw new ProvisioningError([
      `notification ${notification}: there is no distribution list ${unknown.join(', ')} in its project`,
    ]);
  }
  const ids = rows.map((row) => row.id);
  const removed = await client.query(
    'delete from notification_lists where notification_id = $1 and list_id <> all($2)',
    [id, ids],
  );
  const added = await client.query(
    `insert into notification_lists (organization_id, notification_id, list_id)
     select $1, $2, unnest($3::int[]) on conflict do nothing`,
    [place.organizationId, id, ids],
  );
  return Boolean(removed.rowCount) || Boolean(added.rowCount);
}

async function setTemplates(
  client: ClientBase,
  { organizationId, projectId }: EventPlace,
  id: number,
  entries: TemplateEntry[],
  notification: string,
): Promise<boolean> {
  const channels = await channelIds(client, { organizationId, projectId });
  const kept: number[] = [];
  let changed = false;
  for (const { channel, subject = null, text = null, html = null, markdown = null } of entries) {
    const channelId = channels.get(channel);
    if (channelId === undefined)
      throw new ProvisioningError([`notification ${notification}: there is no channel ${channel}`]);
    const identity = { organization_id: organizationId, notification_id: id, channel_id: channelId };
    const { verb } = await upsertRow(client, 'templates', identity, { subject, text, html, markdown });
    changed ||= verb !== undefined;
    kept.push(channelId);
  }
  const removed = await client.query('delete from templates where notification_id = $1 and channel_id <> all($2)', [
    id,
    kept,
  ]);
  return changed || Boolean(removed.rowCount);
}
