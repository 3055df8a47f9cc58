import type { ApiKey, CreatedApiKey } from '../../../../../clients/typescript/src/schema.js';
import { keyState, keyTable } from '../../print/key-table.js';
import { CommandError, print } from '../../print/print.js';
import { namedPermissions } from '../../print/named-permissions.js';
import type { CreateOptions, ListOptions, RevokeOptions } from '../../key.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import { api } from '../path.js';
import { organizationOf, sessionOf } from './organization.js';
import { pages } from './pages.js';

export async function create(options: CreateOptions): Promise<void> {
  const { org, project, application, operator, name, all, expires, rateLimit } = options;
  if (operator) throw new CommandError('an operator key can only be created on the database: add --database');
  const named = all ? [] : namedPermissions(options);
  const client = new RemoteClient(requireService(options));
  const organization = await organizationOf(client, org);
  const body = {
    ...{ name, project, application, expires_at: expires },
    permissions: all ? (await sessionOf(client)).permissions : named,
    // The service says what is wrong with any other text.
    rate_limit: rateLimit === undefined || Number.isNaN(Number(rateLimit)) ? rateLimit : Number(rateLimit),
  };
  const { id, key } = await client.send<CreatedApiKey>('POST', api`/api/o/${organization}/k/`, { body });
  await print(options, { id, name, key }, key);
}

export async function list(options: ListOptions): Promise<void> {
  const client = new RemoteClient(requireService(options));
  const organization = await organizationOf(client, options.org);
  const keys: ApiKey[] = [];
  for await (const page of pages<ApiKey>(client, api`/api/o/${organization}/k/`)) keys.push(...page);
  const listed = keys.map(({ id, name, project, application, ...key }) => ({
    ...{ id, name, organization, project, application },
    state: keyState(key.revoked_at, key.expires_at),
    last_used_at: key.last_used_at,
    expires_at: key.expires_at,
    rate_limit: key.rate_limit,
    permissions: key.permissions,
  }));
  await print(options, listed, keyTable(listed));
}

export async function revoke(id: string, options: RevokeOptions): Promise<void> {
  const client = new RemoteClient(requireService(options));
  const organization = await organizationOf(client, options.org);
  await client.send<ApiKey>('POST', api`/api/o/${organization}/k/${id}/revoke/`);
  const text = `key ${id} is revoked; every process refuses it within five seconds`;
  await print(options, { id: Number(id), revoked: true }, text);
}
