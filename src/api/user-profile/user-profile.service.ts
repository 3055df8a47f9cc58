import { Inject, Injectable } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { isRowGone } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { emailKey } from '../../platform/field/email.js';
import { addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { FoundRows } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { namedChoices, storedChoices } from '../preference/preference.read.js';
import { knownTimeZones } from '../settings/time-zones.js';
import { isFiltered } from '../user/search/user-filter.js';
import type { UserListFilter } from '../user/search/user-filter.js';
import { UserFinder } from '../user/search/user-finder.js';
import type { FoundUser } from '../user/search/user-finder.js';
import { putProfiles } from './profile.write.js';
import { readProfile } from './read-profile.js';
import type { UserProfile } from './read-profile.js';
import { UserProfileDto } from './user-profile.dto.js';
import type { MembershipDto, ProfileRow } from './user-profile.dto.js';
import { GET_PROFILE, LIST_PROFILES, LOCK_PROFILE, MEMBERSHIPS, PROFILES_OF } from './user-profile.sql.js';

/** `place`: the cursor after the user, if it is not the id. */
type ListedProfile = ProfileRow & Pick<FoundUser, 'place'>;

const cursorAfter = ({ id, place }: Pick<FoundUser, 'id' | 'place'>) => place ?? id;

@Injectable()
export class UserProfileService {
  constructor(
    private readonly prisma: PrismaService,
    /** For `list`: an organization may have a million users. */
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly finder: UserFinder,
  ) {}

  /** Without memberships and preferences. */
  list({ organizationId }: Scope, page: Page, filter: UserListFilter): Listing<ListedProfile, UserProfileDto> {
    const read = async (after: string | null, limit: number) => {
      if (isFiltered(filter)) return this.found(organizationId, filter, after, limit);
      const values = [[organizationId], afterId(after), limit];
      return (await this.database.query<ListedProfile>('list-profiles', LIST_PROFILES, values)).rows;
    };
    return new Listing(page, read, (row) => UserProfileDto.fromRow(row), cursorAfter);
  }

  /** The next users that a filter leaves. */
  private async found(
    organizationId: number,
    filter: UserListFilter,
    after: string | null,
    limit: number,
  ): Promise<FoundRows<ListedProfile>> {
    const { rows: users, goesOnAt } = await this.finder.find(organizationId, filter, after, limit);
    const values = [organizationId, users.map(({ id }) => id)];
    const { rows } = await this.database.query<ProfileRow>('profiles-of', PROFILES_OF, values);
    const places = new Map(users.map(({ id, place }) => [id, place]));
    return {
      rows: rows.map((row) => ({ ...row, place: places.get(row.id) })),
      // A user who was deleted meanwhile must not end the list.
      goesOnAt: users.length === limit ? String(cursorAfter(users.at(-1)!)) : goesOnAt,
    };
  }

  async get(scope: Scope): Promise<UserProfileDto> {
    const profile = await this.read(this.prisma, scope, GET_PROFILE);
    if (!profile) throw notFound('user');
    return profile;
  }

  async put(scope: Scope, body: unknown): Promise<UserProfileDto> {
    const errors: FieldErrors = {};
    const known = { zones: await knownTimeZones(this.prisma), dispatchers: this.dispatchers };
    const profile = readProfile(body ?? {}, scope.path.email ?? '', known, addTo(errors));
    if (hasErrors(errors)) throw invalid(errors);
    requireParts(scope, profile);
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        await requireMatch(scope.ifMatch, () => this.read(tx, scope, LOCK_PROFILE));
        const { refused } = await putProfiles(tx, scope.organizationId, [profile]);
        if (refused[0]) throw invalid(refused[0].errors);
        return (await this.read(tx, scope, GET_PROFILE))!;
      });
    } catch (error) {
      if (isRowGone(error)) throw notFound('organization');
      throw error;
    }
  }

  /** Null: there is no such user. Leaves out what the key may not read. */
  private async read(client: Transaction, scope: Scope, sql: string): Promise<UserProfileDto | null> {
    const { organizationId, path } = scope;
    const key = emailKey(path.email ?? '');
    // PostgreSQL accepts no NUL.
    const [row] = key.includes('\u0000') ? [] : await client.$queryRawUnsafe<ProfileRow[]>(sql, organizationId, key);
    if (!row) return null;
    const memberships = scope.may(Permission.DistributionListRead)
      ? await client.$queryRawUnsafe<MembershipDto[]>(MEMBERSHIPS, row.id, organizationId)
      : undefined;
    const choices = scope.may(Permission.PreferenceRead) ? await storedChoices(client, [row.id]) : undefined;
    return UserProfileDto.fromRow(row, memberships, choices && namedChoices(choices));
  }
}

/** As for changing these parts with their own operations. */
function requireParts(scope: Scope, { memberships, wishes }: UserProfile): void {
  if (memberships) scope.require(Permission.DistributionListWrite);
  if (wishes) scope.require(Permission.PreferenceWrite);
}
