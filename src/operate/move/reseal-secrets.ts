import { signingSecretContext } from '../../auth/recipient/signing-secret.js';
import { openConfig, sealConfig } from '../../dispatcher/channel-config.js';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import type { ChannelConfig, ConfigField } from '../../dispatcher/dispatcher.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';
import { statusSecretContext } from '../../engine/report/status-webhook.js';
import type { Side } from './side.js';

/** The keys of both cells: what the first one opens, the second one seals. */
export interface Boxes {
  source: SecretBox;
  target: SecretBox;
}

interface Sealed {
  id: number;
  organizationId: number;
  projectId: number | null;
  slug: string;
  stored: StoredConfig;
}

/** How each table with secrets is read, what a secret is bound to, and how it is written back. */
const SECRETS: Record<string, { read: string; write: string; placeOf: (row: Sealed) => string | null }> = {
  channels: {
    read: `select id, organization_id "organizationId", project_id "projectId", slug, config stored from channels where id = any($1)`,
    write: 'update channels set config = $2 where id = $1',
    placeOf: () => null,
  },
  status_webhooks: {
    read: `select application_id id, organization_id "organizationId", jsonb_build_object('secret', jsonb_build_object('sealed', secret)) stored
           from status_webhooks where application_id = any($1)`,
    write: `update status_webhooks set secret = $2::jsonb->'secret'->>'sealed' where application_id = $1`,
    placeOf: ({ organizationId, id }) => statusSecretContext(organizationId, id),
  },
  signing_secrets: {
    read: `select id, organization_id "organizationId", kid slug, jsonb_build_object('secret', jsonb_build_object('sealed', secret)) stored
           from signing_secrets where id = any($1)`,
    write: `update signing_secrets set secret = $2::jsonb->'secret'->>'sealed' where id = $1`,
    placeOf: ({ organizationId, slug }) => signingSecretContext(organizationId, slug),
  },
};

export const hasSecrets = (table: string) => table in SECRETS;

/**
 * Encrypts the secrets of rows that were just copied with the key of the target, and opens them again: checksums cannot compare them. Throws
 * if the source's key does not open one.
 */
export async function resealSecrets(target: Side, table: string, ids: readonly string[], boxes: Boxes): Promise<void> {
  const { read, write, placeOf } = SECRETS[table]!;
  for (const row of await target.rows<Sealed>(read, [ids])) {
    const place = placeOf(row);
    const plain = open(row, place, boxes.source, table);
    const stored = seal(row, plain, place, boxes.target);
    if (JSON.stringify(open({ ...row, stored }, place, boxes.target, table)) !== JSON.stringify(plain))
      throw new Error(`a secret of ${table} ${row.id} differs after it was encrypted for the target`);
    await target.run(write, [row.id, JSON.stringify(stored)]);
  }
}

function open(row: Sealed, place: string | null, box: SecretBox, table: string): ChannelConfig {
  try {
    if (place === null) return openConfig(row.stored, row, box);
    return { secret: box.open((row.stored.secret as { sealed: string }).sealed, place) };
  } catch (error) {
    throw new Error(`cannot open a secret of ${table} ${row.id}: ${(error as Error).message}`, { cause: error });
  }
}

function seal({ stored, ...row }: Sealed, plain: ChannelConfig, place: string | null, box: SecretBox): StoredConfig {
  if (place !== null) return { secret: { sealed: box.seal(String(plain.secret), place) } };
  const fields = Object.entries(stored)
    .filter(([, value]) => typeof value === 'object')
    .map(([key]): ConfigField => ({ key, label: key, kind: 'string', required: false, secret: true }));
  return sealConfig(fields, plain, row, box);
}
