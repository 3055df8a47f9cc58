import type { CreatedUser, UpdatedUser, User, UserProfile } from '../../../../../clients/typescript/src/schema.js';
import { visible } from '../../../../platform/config/visible.js';
import { positiveInt } from '../../../../platform/field/positive-int.js';
import { CommandError, aligned, print } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import { readJson } from '../json-input.js';
import { requireService } from '../options.js';
import type { RemoteOptions } from '../options.js';
import { api, namesIn } from '../path.js';
import { fieldLines } from './fields.js';
import { pages } from './pages.js';

type Options = RemoteOptions & PrintOptions;

export interface ListUsersOptions extends Options {
  search?: string;
  limit?: string;
}

export interface WriteUserOptions extends Options {
  firstName?: string;
  lastName?: string;
  customFields?: string;
  replaceCustomFields?: string;
  lock?: boolean;
  unlock?: boolean;
}

export interface GetUserOptions extends Options {
  whole?: boolean;
}

export interface PutUserOptions extends Options {
  data: string;
}

export interface DeleteUserOptions extends Options {
  erase?: boolean;
}

/** With --json, one line for each user: the list may be long. */
export async function list(organization: string, { search, limit, json, ...options }: ListUsersOptions): Promise<void> {
  const client = new RemoteClient(requireService(options));
  let left = limit === undefined ? Infinity : readLimit(limit);
  let count = 0;
  for await (const page of pages<User>(client, api`/api/o/${organization}/u/`, { search })) {
    const users = page.slice(0, left);
    const lines = json ? users.map((user) => JSON.stringify(user)) : userLines(users, count === 0);
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
    count += users.length;
    if ((left -= users.length) === 0) return;
  }
  if (count === 0 && !json) process.stdout.write('no users\n');
}

function readLimit(text: string): number {
  const limit = positiveInt(text);
  if (limit === null) throw new CommandError(`--limit must be a positive whole number, not "${text}"`);
  return limit;
}

function userLines(users: User[], isFirst: boolean): string[] {
  if (users.length === 0) return [];
  const rows = users.map(({ id, username, first_name, last_name, locked }) =>
    [String(id), username, `${first_name} ${last_name}`.trim(), locked ? 'locked' : ''].map(visible),
  );
  return [aligned(isFirst ? [['ID', 'USERNAME', 'NAME', ''], ...rows] : rows)];
}

export async function get(path: string, options: GetUserOptions): Promise<void> {
  const { client, url, wholeUrl } = locate(path, options);
  const user = await client.send<User | UserProfile>('GET', options.whole ? wholeUrl : url);
  await print(options, user, fieldLines(user));
}

export async function put(path: string, options: PutUserOptions): Promise<void> {
  const { client, wholeUrl } = locate(path, options);
  const body = await readJson('--data', options.data);
  const user = await client.send<UserProfile>('PUT', wholeUrl, { body });
  await print(options, user, fieldLines(user));
}

export async function create(path: string, options: WriteUserOptions): Promise<void> {
  const { client, organization, username } = locate(path, options);
  const { _mode, ...fields } = await fieldsOf(options);
  const body = { email: username, ...fields };
  const user = await client.send<CreatedUser>('POST', api`/api/o/${organization}/u/`, { body });
  await print(options, user, fieldLines(user));
}

export async function update(path: string, options: WriteUserOptions): Promise<void> {
  const { client, url } = locate(path, options);
  const body = await fieldsOf(options);
  if (Object.keys(body).length === 0)
    throw new CommandError('nothing to change: add --first-name, --lock, or another field');
  const user = await client.send<UpdatedUser>('PATCH', url, { body });
  await print(options, user, fieldLines(user));
}

export async function remove(path: string, options: DeleteUserOptions): Promise<void> {
  const { client, url, username } = locate(path, options);
  await client.send('DELETE', url, { query: { erase: options.erase ? 1 : undefined } });
  const erased = options.erase ?? false;
  const text = `${visible(username)} is deleted${erased ? '; their data is being erased from the history' : ''}`;
  await print(options, { username, deleted: true, erased }, text);
}

function locate(path: string, options: Options) {
  const [organization, username] = namesIn(path, ['organization', 'user']) as [string, string];
  const client = new RemoteClient(requireService(options));
  const url = api`/api/o/${organization}/u/${username}/`;
  return { client, organization, username, url, wholeUrl: api`/api/o/${organization}/users/${username}/` };
}

async function fieldsOf(options: WriteUserOptions): Promise<Record<string, unknown>> {
  const { firstName, lastName, customFields, replaceCustomFields, lock, unlock } = options;
  if (lock && unlock) throw new CommandError('use either --lock or --unlock, not both');
  if (customFields !== undefined && replaceCustomFields !== undefined)
    throw new CommandError('use either --custom-fields or --replace-custom-fields, not both');
  return {
    ...(firstName !== undefined && { first_name: firstName }),
    ...(lastName !== undefined && { last_name: lastName }),
    ...((lock || unlock) && { locked: lock ?? false }),
    ...(customFields !== undefined && {
      custom_fields: await readJson('--custom-fields', customFields),
      _mode: 'MERGE',
    }),
    ...(replaceCustomFields !== undefined && {
      custom_fields: await readJson('--replace-custom-fields', replaceCustomFields),
      _mode: 'REPLACE',
    }),
  };
}
