import { openConfig } from '../dispatcher/channel-config.js';
import type { ChannelPlace, StoredConfig } from '../dispatcher/channel-config.js';
import type { ConfigField } from '../dispatcher/dispatcher.js';
import type { FieldErrors } from '../http/problem.js';
import { MASK } from '../secret/mask.js';
import type { SecretBox } from '../secret/secret-box.js';

export const masked = (stored: StoredConfig): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).map(([key, value]) => [key, typeof value === 'object' ? MASK : value]));

/** What was sent, with the secrets that the masks in it stand for. */
export function unmasked(
  config: Readonly<Record<string, unknown>>,
  stored: StoredConfig,
  place: ChannelPlace,
  fields: readonly ConfigField[],
  secrets: SecretBox,
): { config: Record<string, unknown> } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const secretBehind = (key: string) => {
    const value = Object.hasOwn(stored, key) ? stored[key] : undefined;
    const moved = fields.find((field) => field.key === key)?.goesTo?.find((other) => config[other] !== stored[other]);
    if (moved) errors[`config.${key}`] = [`must be given anew: ${moved} changes where it goes`];
    else if (typeof value !== 'object') errors[`config.${key}`] = ['is masked, and there is no secret to keep'];
    else {
      try {
        return openConfig({ [key]: value }, place, secrets)[key];
      } catch {
        errors[`config.${key}`] = ['can no longer be read: set it anew'];
      }
    }
    return undefined;
  };
  const entries = Object.entries(config).map(([key, value]) => [key, value === MASK ? secretBehind(key) : value]);
  return Object.keys(errors).length > 0 ? { errors } : { config: Object.fromEntries(entries) as typeof config };
}
