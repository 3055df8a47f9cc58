import type { Session } from '../../../../../clients/typescript/src/schema.js';
import { CommandError } from '../../print/print.js';
import type { RemoteClient } from '../client.js';

/** What the key of the command may do, and where. */
export const sessionOf = (client: RemoteClient) => client.send<Session>('GET', '/api/session/');

/** The organization that `--org` names; left out: the one of the key. */
export async function organizationOf(client: RemoteClient, org: string | undefined): Promise<string> {
  const organization = org ?? (await sessionOf(client)).organization;
  if (organization === null) throw new CommandError('the key reaches every organization: say which with --org');
  return organization;
}
