import { openConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import type { ChannelConfig } from '../../dispatcher/dispatcher.js';
import { conflict } from '../../platform/http/problem.js';
import type { SecretBox } from '../../platform/secret/secret-box.js';

/** The settings of a channel that somebody wants to try. */
export function openedConfig(stored: StoredConfig, owner: ChannelOwner, secrets: SecretBox): ChannelConfig {
  try {
    return openConfig(stored, owner, secrets);
  } catch {
    throw conflict('The secrets of the channel can no longer be decrypted. Set them again.');
  }
}
