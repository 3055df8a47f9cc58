import type { Member, UserProfile } from '../../../../../clients/typescript/src/schema.js';
import { emailKey } from '../../../../platform/field/email.js';
import { entryOfProfile } from '../../../provisioning/export/export-users.js';
import type { MemberEntry, UserEntry } from '../../../provisioning/file.js';
import type { ListOwner } from '../../../provisioning/find.js';
import { findList } from '../../file/find-members-place.js';
import { progressCount } from '../../print/progress-bar.js';
import type { RemoteClient } from '../client.js';
import { api } from '../path.js';
import { pages } from './pages.js';

/** The users of an organization, page by page. */
export async function* remoteUsers(client: RemoteClient, org: string): AsyncGenerator<UserEntry[]> {
  const users = pages<UserProfile>(client, api`/api/o/${org}/users/`);
  for await (const page of counted(users, 'users')) yield page.map(entryOfProfile);
}

/**
 * The members of a list, page by page. A file of members names users, so it has only those with their e-mail. A member without a chosen
 * channel has the kind of the address in its place, which may also be the slug of a channel: they are read apart.
 */
export async function* remoteMembers(client: RemoteClient, place: ListOwner): AsyncGenerator<(string | MemberEntry)[]> {
  const lists = api`/api/o/${place.org}/p/${place.project}/d/`;
  const { id } = await findList(client, lists, place);
  const members = async function* () {
    for (const chosen of [0, 1]) {
      const read = pages<Member>(client, `${lists}${id}/m/`, { chosen });
      for await (const page of read) yield page.filter(usesEmail).map((member) => entryOf(member, chosen === 1));
    }
  };
  yield* counted(members(), 'members');
}

const usesEmail = ({ address, user }: Member) => emailKey(address) === emailKey(user);

function entryOf({ user, channel, active }: Member, isChosen: boolean): string | MemberEntry {
  if (!isChosen && active) return user;
  return { email: user, ...(isChosen && { channel }), ...(!active && { active }) };
}

async function* counted<Item>(all: AsyncGenerator<Item[]>, what: string): AsyncGenerator<Item[]> {
  const progress = progressCount(what);
  for await (const page of all) {
    yield page;
    progress.add(page.length);
  }
  progress.end();
}
