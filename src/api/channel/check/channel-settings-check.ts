import type { Client } from 'pg';
import { openConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import type { SettingsCheck } from '../../../dispatcher/dispatcher.js';
import { Outbound } from '../../../dispatcher/outbound/outbound.js';
import { builtInDispatchers, operatorDispatchers } from '../../../dispatcher/provider/built-in.js';
import type { FileDispatcher } from '../../../dispatcher/provider/file.dispatcher.js';
import { ChannelTokens } from '../../../dispatcher/token/channel-tokens.js';
import type { Config } from '../../../platform/config/config.js';
import { visible } from '../../../platform/config/visible.js';
import type { Check } from '../../../platform/database/check/check.js';
import type { SecretBox } from '../../../platform/secret/secret-box.js';

interface ChannelRow extends ChannelOwner {
  path: string;
  organization: string;
  type: string;
  config: StoredConfig;
}

interface Checked {
  path: string;
  /** It is skipped if there is no time left, or if its secrets cannot be decrypted. */
  check: SettingsCheck | 'skipped';
}

/** The most channels that are looked at, how many at a time, and for how long. */
const MAX_ROWS = 100;
const AT_A_TIME = 10;
const MAX_MS = 20_000;

/** The most channels that are named, and how much of an answer is shown. */
const MAX_NAMED = 5;
const SHOWN_LENGTH = 120;

const CHECKED_CHANNELS = `
  select c.organization_id "organizationId", c.project_id "projectId", c.slug, c.type, c.config, o.slug organization,
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
    const checked = await checkInTurn(rows, (row) => checkChannel(types.get(row.type)!, row, box));
    if (checked.length === 0) return [];
    return [{ name: 'channels', ok: true, detail: detailOf(checked) }];
  } finally {
    await outbound.close();
  }
}

/** Some at a time. What has not begun when the time is over is not checked. */
async function checkInTurn(
  rows: readonly ChannelRow[],
  check: (row: ChannelRow) => Promise<SettingsCheck | 'skipped' | null>,
): Promise<Checked[]> {
  const end = performance.now() + MAX_MS;
  const checked: Checked[] = [];
  const waiting = rows[Symbol.iterator]();
  const work = async () => {
    for (const row of waiting) {
      const found = performance.now() < end ? await check(row) : 'skipped';
      if (found !== null) checked.push({ path: row.path, check: found });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return checked.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null: its provider has no call for these settings. */
async function checkChannel(
  dispatcher: FileDispatcher,
  { organization, config, ...owner }: ChannelRow,
  box: SecretBox,
): Promise<SettingsCheck | 'skipped' | null> {
  try {
    const { rate: _rate, fallback_after: _after, ...opened } = openConfig(config, owner, box);
    return await dispatcher.checkSettings!(opened, organization);
  } catch {
    return 'skipped'; // the check of SECRET_KEY reports it
  }
}

function detailOf(checked: readonly Checked[]): string {
  const fits = checked.filter(({ check }) => check !== 'skipped' && check.ok).length;
  const skipped = checked.filter(({ check }) => check === 'skipped').length;
  const wrong = checked.flatMap(({ path, check }) => (check === 'skipped' || check.ok ? [] : [{ path, ...check }]));
  const named = wrong
    .slice(0, MAX_NAMED)
    .map(({ path, fault, answer }) => `${path} ${fault === 'channel' ? 'wrong' : 'not known'} (${shown(answer)})`);
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : '';
  const all = checked.length === 1 ? '1 channel' : `${checked.length} channels`;
  return [
    `the provider accepts the settings of ${fits} of ${all}`,
    ...(skipped > 0 ? [`${skipped} not checked: no time left, or secrets that cannot be decrypted`] : []),
    ...(wrong.length > 0 ? [`${named.join(', ')}${more}`] : []),
  ].join('; ');
}

const shown = (answer: string): string => {
  const line = visible(answer.replace(/\s+/g, ' ').trim());
  return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}...` : line;
};
