import type { Client } from 'pg';
import { openConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import type { SettingsCheck, TemplateCheck } from '../../../dispatcher/dispatcher.js';
import { Outbound } from '../../../dispatcher/outbound/outbound.js';
import { builtInDispatchers, operatorDispatchers } from '../../../dispatcher/provider/built-in.js';
import type { FileDispatcher } from '../../../dispatcher/provider/file.dispatcher.js';
import { ChannelTokens } from '../../../dispatcher/token/channel-tokens.js';
import type { Config } from '../../../platform/config/config.js';
import { visible } from '../../../platform/config/visible.js';
import type { Check } from '../../../platform/database/check/check.js';
import { MAX_COMPARED, PROVIDER_TEMPLATES, type UsedTemplateRow } from './provider-template.sql.js';
import type { SecretBox } from '../../../platform/secret/secret-box.js';

interface ChannelRow extends ChannelOwner {
  id: number;
  path: string;
  organization: string;
  type: string;
  config: StoredConfig;
}

interface Checked {
  path: string;
  /** It is skipped if there is no time left, or if its secrets cannot be decrypted. */
  check: SettingsCheck | 'skipped';
  /** Of notifications that name a template of the provider. */
  templates: { path: string; check: TemplateCheck }[];
}

/** The most channels that are looked at, how many at a time, and for how long. */
const MAX_ROWS = 100;
const AT_A_TIME = 10;
const MAX_MS = 20_000;

/** The most channels that are named, and how much of an answer is shown. */
const MAX_NAMED = 5;
const SHOWN_LENGTH = 120;

const SKIPPED: Omit<Checked, 'path'> = { check: 'skipped', templates: [] };

const pathOf = ({ event, notification }: UsedTemplateRow): string => `${event} "${notification}"`;

const CHECKED_CHANNELS = `
  select c.id, c.organization_id "organizationId", c.project_id "projectId", c.slug, c.type, c.config, o.slug organization,
         concat_ws('/', o.slug, (select p.slug from projects p where p.id = c.project_id), c.slug) path
  from channels c join organizations o on o.id = c.organization_id
  where c.type = any($1) and c.enabled
  order by c.id limit $2`;

/**
 * Tries the settings of channels whose provider has a call for it. They belong to customers, so the service is well all the same. A call that a provider may
 * charge for is left out. Empty: there are no such channels.
 */
export async function channelSettingsCheck(client: Client, config: Config, box: SecretBox): Promise<Check[]> {
  const outbound = new Outbound({ allow: config.outboundAllow, servers: config.nameServers ?? undefined });
  const tokens = new ChannelTokens();
  try {
    const files = [
      ...builtInDispatchers(outbound, tokens),
      ...(config.providersDir === null ? [] : operatorDispatchers(config.providersDir, outbound, tokens)),
    ].filter((file) => file.checkSettings && !file.isCheckCharged);
    const types = new Map(files.map((file) => [file.type, file]));
    const { rows } = await client.query<ChannelRow>(CHECKED_CHANNELS, [[...types.keys()], MAX_ROWS]);
    const listing = rows.filter((row) => types.get(row.type)!.checkTemplates).map(({ id }) => id);
    const used =
      listing.length > 0 ? (await client.query<UsedTemplateRow>(PROVIDER_TEMPLATES, [listing, MAX_COMPARED])).rows : [];
    const checked = await checkInTurn(rows, (row) =>
      checkChannel(
        types.get(row.type)!,
        row,
        box,
        used.filter(({ channelId }) => channelId === row.id),
      ),
    );
    if (checked.length === 0) return [];
    return [{ name: 'channels', ok: true, detail: detailOf(checked) }];
  } finally {
    await outbound.close();
  }
}

/** Some at a time. What has not begun when the time is over is not checked. */
async function checkInTurn(
  rows: readonly ChannelRow[],
  check: (row: ChannelRow) => Promise<Omit<Checked, 'path'> | null>,
): Promise<Checked[]> {
  const end = performance.now() + MAX_MS;
  const checked: Checked[] = [];
  const waiting = rows[Symbol.iterator]();
  const work = async () => {
    for (const row of waiting) {
      const found = performance.now() < end ? await check(row) : SKIPPED;
      if (found !== null) checked.push({ path: row.path, ...found });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return checked.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null: its provider has no call for these settings. */
async function checkChannel(
  dispatcher: FileDispatcher,
  { id: _id, path: _path, type: _type, organization, config, ...owner }: ChannelRow,
  box: SecretBox,
  used: readonly UsedTemplateRow[],
): Promise<Omit<Checked, 'path'> | null> {
  try {
    const { rate: _rate, fallback_after: _after, ...opened } = openConfig(config, owner, box);
    const check = await dispatcher.checkSettings!(opened, organization);
    if (check === null) return null;
    const isCompared = check.ok && used.length > 0;
    const templates = used.map(({ template }) => template);
    const compared = isCompared ? await dispatcher.checkTemplates!(opened, organization, templates) : [];
    return { check, templates: compared.map((each, i) => ({ path: pathOf(used[i]!), check: each })) };
  } catch {
    return SKIPPED; // the check of SECRET_KEY reports it
  }
}

function detailOf(checked: readonly Checked[]): string {
  const fits = checked.filter(({ check }) => check !== 'skipped' && check.ok).length;
  const skipped = checked.filter(({ check }) => check === 'skipped').length;
  const wrong = checked.flatMap(({ path, check }) => (check === 'skipped' || check.ok ? [] : [{ path, ...check }]));
  const named = wrong
    .slice(0, MAX_NAMED)
    .map(({ path, fault, answer }) => `${path} ${fault === 'channel' ? 'wrong' : 'not known'} (${shown(answer)})`);
  const more = moreThan(wrong.length);
  const all = checked.length === 1 ? '1 channel' : `${checked.length} channels`;
  return [
    `the provider accepts the settings of ${fits} of ${all}`,
    ...(skipped > 0 ? [`${skipped} not checked: no time left, or secrets that cannot be decrypted`] : []),
    ...(wrong.length > 0 ? [`${named.join(', ')}${more}`] : []),
    ...templateDetails(checked),
  ].join('; ');
}

/** Templates that the provider would refuse, or cannot say anything about. */
function templateDetails(checked: readonly Checked[]): string[] {
  const wrong = checked.flatMap((channel) =>
    channel.templates.flatMap(({ path, check }) =>
      check.ok
        ? []
        : [`${channel.path} for ${path} ${check.ok === null ? 'not known' : 'wrong'} (${shown(check.problem)})`],
    ),
  );
  if (wrong.length === 0) return [];
  return [`templates of the provider: ${wrong.slice(0, MAX_NAMED).join(', ')}${moreThan(wrong.length)}`];
}

const moreThan = (count: number): string => (count > MAX_NAMED ? ` and ${count - MAX_NAMED} more` : '');

const shown = (answer: string): string => {
  const line = visible(answer.replace(/\s+/g, ' ').trim());
  return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}...` : line;
};
