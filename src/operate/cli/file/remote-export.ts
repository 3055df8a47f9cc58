import { partsOfEntry } from '../../provisioning/export/export-entry.js';
import { writeFile } from '../../provisioning/export/write-file.js';
import type { OrganizationEntry } from '../../provisioning/file.js';
import { RemoteClient } from '../remote/client.js';
import type { RemoteService } from '../remote/client.js';

/** Writes a configuration file from a service. */
export async function* remoteExport(
  service: RemoteService,
  { org, people }: { org: string; people: boolean },
): AsyncGenerator<string> {
  const path = `/api/o/${encodeURIComponent(org)}/configuration/`;
  const query = { users: people ? 1 : undefined };
  yield* writeFile(partsOfEntry(await new RemoteClient(service).send<OrganizationEntry>('GET', path, { query })));
}
