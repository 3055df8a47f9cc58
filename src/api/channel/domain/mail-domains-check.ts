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

/** The most channels that are looked at. */
const MAX_ROWS = 100;

/** Channels that sign: of the others, the mail server signs, and its keys are not known. */
const SIGNING_CHANNELS = `
  select c.id, c.organization_id "organizationId", c.project_id "projectId", c.slug, c.config,
         concat_ws('/', o.slug, (select p.slug from projects p where p.id = c.project_id), c.slug) path
  from channels c join organizations o on o.id = c.organization_id
  where c.type = 'email' and c.enabled and c.config ?| array['dkim_selector', 'dkim_selector_2']
  order by c.id limit $1`;

/** Compares the channels that sign mails with the DNS records of their domains. Empty: there are none. */
export async function mailDomainsCheck(client: Client, config: Config, box: SecretBox): Promise<Check[]> {
  const { rows } = await client.query<ChannelRow>(SIGNING_CHANNELS, [MAX_ROWS]);
  if (rows.length === 0) return [];
  const outbound = new Outbound({ servers: config.nameServers ?? undefined });
  const email = new EmailDispatcher(outbound);
  const checks = await Promise.all(rows.map((row) => checkChannel(email, row, box)));
  await outbound.close();
  const failed = checks.flat();
  const all = rows.length === 1 ? '1 channel that signs mails' : `${rows.length} channels that sign mails`;
  return failed.length > 0 ? failed : [{ name: NAME, ok: true, detail: `SPF, DKIM and DMARC fit ${all}` }];
}

async function checkChannel(email: EmailDispatcher, { id, path, config, ...owner }: ChannelRow, box: SecretBox) {
  try {
    // Look-ups are limited for each name that is given here, so each channel has its own.
    const findings = await email.checkDomains(openConfig(config, owner, box), String(id));
    return findings.filter(({ state }) => state !== 'ok').map((finding) => checkOf(path, finding));
  } catch {
    return []; // the check of SECRET_KEY reports it
  }
}

function checkOf(path: string, { check, domain, record, detail, publish }: DomainFinding): Check {
  const advice = publish === null ? `see the check ${check} in docs/dkim.md` : `publish ${record} TXT ${publish}`;
  return { name: NAME, ok: false, detail: `${path}, ${domain}: ${detail}${record ? ` (${record})` : ''}`, advice };
}
