import type { ClientBase } from 'pg';
import { openConfig, sealConfig } from '../dispatcher/channel-config.js';
import type { ChannelPlace, StoredConfig } from '../dispatcher/channel-config.js';
import { checkConfig, fieldsOf } from '../dispatcher/config-fields.js';
import type { ChannelConfig, Dispatcher } from '../dispatcher/dispatcher.js';
import type { FieldErrors } from '../http/problem.js';
import { upsertRow, whereOf } from '../prisma/upsert-row.js';
import type { Upserted } from '../prisma/upsert-row.js';
import type { SecretBox } from '../secret/secret-box.js';

export interface ChannelContext {
  client: ClientBase;
  dispatchers: ReadonlyMap<string, Dispatcher>;
  secrets: SecretBox;
}

export interface ChannelFields {
  name?: string;
  type: string;
  enabled?: boolean;
  /** In the clear; without it, it stays. */
  config?: Readonly<Record<string, unknown>>;
}

export const identityOf = ({ organizationId, projectId, slug }: ChannelPlace) => ({
  organization_id: organizationId,
  project_id: projectId,
  slug,
});

/** Makes a channel agree with the fields, unless its dispatcher refuses them: then what is wrong with each. */
export async function putChannel(
  context: ChannelContext,
  place: ChannelPlace,
  { name, type, enabled, config }: ChannelFields,
): Promise<Upserted | { errors: FieldErrors }> {
  const dispatcher = context.dispatchers.get(type);
  if (!dispatcher) return { errors: { type: [`there is no channel type "${type}"`] } };
  if (!config) return upsertRow(context.client, 'channels', identityOf(place), { name, type, enabled });
  const checked = checkConfig(fieldsOf(dispatcher), config);
  if ('errors' in checked) {
    const errors = Object.entries(checked.errors).map(([key, sentences]) => [`config.${key}`, sentences] as const);
    return { errors: Object.fromEntries(errors) };
  }
  const problem = dispatcher.check?.(checked.config);
  if (problem) return { errors: { config: [problem] } };
  const stored = await storedConfig(context, dispatcher, place, checked.config);
  return upsertRow(context.client, 'channels', identityOf(place), { name, type, enabled, config: stored });
}

/** Of each secret what is stored already, when it says the same: sealing again would look like a change. */
async function storedConfig(
  { client, secrets }: ChannelContext,
  dispatcher: Dispatcher,
  place: ChannelPlace,
  config: ChannelConfig,
): Promise<StoredConfig> {
  const identity = identityOf(place);
  const { rows } = await client.query<{ config: StoredConfig }>(
    `select config from channels where ${whereOf(identity)}`,
    Object.values(identity),
  );
  const stored = rows[0]?.config ?? {};
  const saysTheSame = (key: string) => {
    try {
      return key in stored && openConfig({ [key]: stored[key]! }, place, secrets)[key] === config[key];
    } catch {
      return false; // sealed under a key that is gone: the secret is given anew
    }
  };
  const sealed = Object.entries(sealConfig(dispatcher.fields, config, place, secrets));
  return Object.fromEntries(sealed.map(([key, value]) => [key, saysTheSame(key) ? stored[key]! : value]));
}
