import type { SecretBox } from '../platform/secret/secret-box.js';
import type { ChannelConfig, ConfigField } from './dispatcher.js';

/** A channel's settings as stored: plain values, and secrets encrypted for this channel only. */
export type StoredConfig = Record<string, string | number | boolean | { sealed: string }>;

/** Identifies the channel that a secret is encrypted for. The secret cannot be decrypted for another channel. */
export interface ChannelOwner {
  organizationId: number;
  projectId: number | null;
  slug: string;
}

const placeOf = ({ organizationId, projectId, slug }: ChannelOwner, key: string) =>
  ['channel', organizationId, projectId ?? '', slug, key].join(':');

export function sealConfig(
  fields: readonly ConfigField[],
  config: ChannelConfig,
  place: ChannelOwner,
  box: SecretBox,
): StoredConfig {
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ key }) => key));
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) =>
      secrets.has(key) ? [key, { sealed: box.seal(String(value), placeOf(place, key)) }] : [key, value],
    ),
  );
}

export function openConfig(stored: StoredConfig, place: ChannelOwner, box: SecretBox): ChannelConfig {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]) =>
      typeof value === 'object' ? [key, box.open(value.sealed, placeOf(place, key))] : [key, value],
    ),
  );
}
