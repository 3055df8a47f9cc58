import type { Client } from 'pg';
import { openConfig } from '../../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../../dispatcher/channel-config.js';
import type { DomainFinding } from '../../../dispatcher/email/domain/domain-finding.js';
import { EmailDispatcher } from '../../../dispatcher/email/email.dispatcher.js';
import { Outbound } from '../../../dispatcher/outbound/outbound.js';
import type { Config } from '../../../platform/config/config.js';
import type { Check } from '../../../platform/database/check/check.js';
import type { SecretBox } from '../../../platform/secret/secret-box.js';

interface ChannelRow extends ChannelOwner {
  id: number;
  path: string;
  config: StoredConfig;
}

const NAME = 'mail domains';

/** The most channels that are looked at, and the most findings that are named. */
const MAX_ROWS = 100;
const MAX_NAMED = 5;

/** Channels that sign: of the others, the mail server signs, and its keys are not known. */
const SIGNING_CHANNELS = `
  select c.id, c.organization_id "organizationId", c.project_id "projectId", c.slug, c.config,
         concat_ws('/', o.slug, (select p.slug from projects p where p.id = c.project_id), c.slug) path
  from channels c join organizations o on o.id = c.organization_id
  where c.type = 'email' and c.enabled and c.config ?| array['dkim_selector', 'dkim_selector_2']
  order by c.id limit $1`;

/** Compares the channels that sign mails with the DNS records of their domains. Those belong to customers, so the service is well all the same. Empty: there are none. */
export async function mailDomainsCheck(client: Client, config: Config, box: SecretBox): Promise<Check[]> {
  const { rows } = await client.query<ChannelRow>(SIGNING_CHANNELS, [MAX_ROWS]);
  if (rows.length === 0) return [];
  const outbound = new Outbound({ servers: config.nameServers ?? undefined });
  const email = new EmailDispatcher(outbound);
  const checked = await Promise.all(rows.map((row) => checkChannel(email, row, box)));
  await outbound.close();
  return [{ name: NAME, ok: true, detail: detailOf(checked) }];
}

/** Null: the channel could not be checked. */
async function checkChannel(email: EmailDispatcher, { id, path, config, ...owner }: ChannelRow, box: SecretBox) {
  try {
    // Look-ups are limited for each name that is given here, so each channel has its own.
    const found = await email.checkDomains(openConfig(config, owner, box), String(id));
    return 'problem' in found ? null : found.filter(({ state }) => state !== 'ok').map((each) => ({ path, ...each }));
  } catch {
    return null; // the check of SECRET_KEY reports it
  }
}

function detailOf(checked: readonly ((DomainFinding & { path: string })[] | null)[]): string {
  const fits = checked.filter((found) => found?.length === 0).length;
  const skipped = checked.filter((found) => found === null).length;
  const found = checked.flatMap((each) => each ?? []);
  const named = found
    .slice(0, MAX_NAMED)
    .map(({ path, check, state, record, domain }) => `${path} ${check} ${state} (${record ?? domain})`);
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  const all = checked.length === 1 ? '1 channel that signs' : `${checked.length} channels that sign`;
  return [
    `SPF, DKIM and DMARC fit ${fits} of ${all} mails`,
    ...(skipped > 0 ? [`${skipped} not checked: wrong settings or secrets`] : []),
    ...(found.length > 0 ? [`${named.join(', ')}${more}`] : []),
  ].join('; ');
}
