import { openConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import { destinationOf } from '../../dispatcher/config-fields.js';
import type { ConfigField } from '../../dispatcher/dispatcher.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { MASK } from '../../platform/secret/mask.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';

export const masked = (stored: StoredConfig): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stored).map(([key, value]) => [key, typeof value === 'object' ? MASK : value]));

/** Replaces each mask in `config` by the stored secret. */
export function unmasked(
  config: Readonly<Record<string, unknown>>,
  stored: StoredConfig,
  place: ChannelOwner,
  fields: readonly ConfigField[],
  secrets: SecretBox,
): { config: Record<string, unknown> } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const storedSecret = (key: string) => {
    const value = Object.hasOwn(stored, key) ? stored[key] : undefined;
    const goesTo = fields.find((field) => field.key === key)?.goesTo ?? [];
    const moved = fields
      .filter((other) => goesTo.includes(other.key))
      .find((other) => destinationOf(other, config[other.key]) !== destinationOf(other, stored[other.key]))?.key;
    if (moved)
      errors[`config.${key}`] = [
        fieldError('required', `must be sent again: with the new ${moved}, the secret goes to another place`),
      ];
    else if (typeof value !== 'object')
      errors[`config.${key}`] = [fieldError('required', 'is masked, but no secret is stored: send the secret')];
    else {
      try {
        return openConfig({ [key]: value }, place, secrets)[key];
      } catch {
        errors[`config.${key}`] = [fieldError('required', 'can no longer be decrypted: send it again')];
      }
    }
    return undefined;
  };
  const entries = Object.entries(config).map(([key, value]) => [key, value === MASK ? storedSecret(key) : value]);
  return hasErrors(errors) ? { errors } : { config: Object.fromEntries(entries) as typeof config };
}
