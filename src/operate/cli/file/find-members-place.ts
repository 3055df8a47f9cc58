import type { DistributionList, Project } from '../../../../clients/typescript/src/schema.js';
import { listKey } from '../../../api/distribution-list/list-key.js';
import { CommandError } from '../print/print.js';
import type { RemoteClient } from '../remote/client.js';
import { api } from '../remote/path.js';
import { pages } from '../remote/resource/pages.js';
import type { ImportedRow } from './row-chunks.js';

/** The configuration around members of a list. The list must exist: a configuration would create it. */
export async function findMembersPlace(client: RemoteClient, org: string, owner: { project: string; list: string }) {
  const path = api`/api/o/${org}/p/${owner.project}/`;
  const { slug, name } = await client.send<Project>('GET', path);
  const list = await findList(client, `${path}d/`, owner);
  return (rows: readonly ImportedRow[]) => {
    const members = rows.map(({ value }) => value);
    return { projects: [{ slug, name, distribution_lists: [{ name: list.name, members }] }] };
  };
}

export async function findList(
  client: RemoteClient,
  path: string,
  { project, list }: { project: string; list: string },
) {
  for await (const page of pages<DistributionList>(client, path)) {
    const found = page.find(({ name }) => listKey(name) === listKey(list));
    if (found) return found;
  }
  throw new CommandError(`there is no distribution list ${list} in the project ${project}`);
}
