import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isWellFormed } from '../../auth/api-key.js';
import { WrongKeys } from '../../auth/quota/rate-limit.js';
import { actorOf, setScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { ScopeService } from '../../auth/scope.service.js';
import { setSessionCookie } from '../../auth/session/cookie.js';
import { emailKey } from '../../platform/field/email.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound, tooWeak, unauthorized } from '../../platform/http/problem.js';
import { requestId } from '../../platform/http/request-id.js';
import { commandLine } from '../../platform/database/actor.js';
import type { Actor } from '../../platform/database/actor.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import { nameOfMember } from '../organization-member/member-rights.js';
import { PROVIDERS } from './oidc/provider.js';
import type { GroupRights, Provider } from './oidc/provider.js';
import { memberOfLink, openOfKey, openOfLink, openOfMember, openOfOperator } from './session-rows.js';
import type { OpenedSession, SignedInUser, SigningInMember } from './session-rows.js';
import { SessionDto } from './session.dto.js';
import type { SessionRow } from './session.dto.js';
import {
  END_SESSION,
  END_SESSIONS_OF_OTHERS,
  FIND_MEMBER_TO_SIGN_IN,
  FIND_OWN_SESSION,
  FIND_PLACE,
  FIND_SESSIONS,
} from './session.sql.js';

type SessionOwner = Pick<SignedInUser, 'organizationId' | 'projectId' | 'applicationId'>;

const ENDED_KEY = 'The API key has been revoked.';
const USED_LINK =
  'The link has expired, or was used already. Ask for another one where you got it; on this machine: npx carillon console';
const REMOVED = 'You are not a member any more.';

/** Sessions over HTTP. As with keys, a caller sees only sessions within its own reach, and ends none with more rights than its own. */
@Injectable()
export class SessionService implements OnApplicationBootstrap {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
    private readonly wrongKeys: WrongKeys,
    @Inject(PROVIDERS) private readonly providers: readonly Provider[],
  ) {}

  /** A provider that is no longer configured has vouched for these operators. */
  async onApplicationBootstrap(): Promise<void> {
    const slugs = this.providers.map(({ slug }) => slug);
    const end = (tx: SqlTransaction) => tx.$executeRawUnsafe(END_SESSIONS_OF_OTHERS, sqlArray(slugs));
    await this.prisma.change(commandLine('start'), end);
  }

  /** Signs in with a key. Its rate limit counts. */
  async createOfKey(key: string, request: Request, response: Response): Promise<SessionDto> {
    const address = clientAddress(request);
    try {
      const scope = await this.scopes.resolve(key, { permission: null }, {}, response, 'key', address);
      setScope(request, scope, address);
      return await this.create(request, response, actorOf(scope), ENDED_KEY, (tx) => openOfKey(tx, scope.key.id));
    } catch (error) {
      return this.wrongKeys.refuse(address, error);
    }
  }

  async createOfLink(link: string, request: Request, response: Response): Promise<SessionDto> {
    const address = clientAddress(request);
    try {
      if (!isWellFormed(link, 'link')) throw unauthorized(USED_LINK);
      const member = await memberOfLink(this.prisma, link);
      const by = { actor: member ?? 'sign-in link', request: requestId(request), address };
      return await this.create(request, response, by, USED_LINK, (tx) => openOfLink(tx, link));
    } catch (error) {
      return this.wrongKeys.refuse(address, error);
    }
  }

  /** Signs in an operator whom a provider vouches for. Returns false when the place of their group does not exist. */
  async createOfOperator(
    person: string,
    provider: string,
    rights: GroupRights,
    request: Request,
    response: Response,
  ): Promise<boolean> {
    const place = await this.placeOf(rights);
    if (!place) return false;
    const by = { actor: person, request: requestId(request), address: clientAddress(request) };
    const of = { person, provider, permissions: rights.permissions, ...place };
    await this.create(request, response, by, '', (tx) => openOfOperator(tx, of));
    return true;
  }

  /** Signs in a member whom a provider vouches for. Returns false when the e-mail is no member's. */
  async createOfMember(email: string, provider: string, request: Request, response: Response): Promise<boolean> {
    const find = [FIND_MEMBER_TO_SIGN_IN, emailKey(email)] as const;
    const [member] = await this.prisma.$queryRawUnsafe<SigningInMember[]>(...find);
    if (!member) return false;
    const by = { actor: nameOfMember(member), request: requestId(request), address: clientAddress(request) };
    await this.create(request, response, by, REMOVED, (tx) => openOfMember(tx, member, provider));
    return true;
  }

  private async placeOf({ organization, project, application }: GroupRights): Promise<SessionOwner | null> {
    if (organization === null) return { organizationId: null, projectId: null, applicationId: null };
    const [place] = await this.prisma.$queryRawUnsafe<SessionOwner[]>(FIND_PLACE, organization, project, application);
    return place ?? null;
  }

  private async create(
    request: Request,
    response: Response,
    by: Actor,
    refusal: string,
    open: (tx: SqlTransaction) => Promise<OpenedSession | null>,
  ): Promise<SessionDto> {
    const { session, opened } = await this.prisma.change(by, async (tx) => {
      const opened = await open(tx);
      if (!opened) throw unauthorized(refusal);
      // Read before the commit: after it, a read that fails would say that nobody has signed in.
      return { opened, session: await this.read(opened.id, tx) };
    });
    for (const id of opened.ended) this.scopes.forget(id);
    setSessionCookie(request, response, opened.secret);
    return session;
  }

  get({ key }: Scope): Promise<SessionDto> {
    return this.read(key.id);
  }

  /** Ends the session of the request itself. */
  async remove(scope: Scope): Promise<void> {
    if (scope.key.via === null) throw notFound('session');
    await this.end(scope, scope.key.id);
  }

  list(scope: Scope, page: Page) {
    const read = (after: string | null, limit: number) => this.find(scope, afterId(after), null, limit);
    return new Listing(page, read, SessionDto.from, ({ id }) => id);
  }

  async removeOther(scope: Scope): Promise<void> {
    const id = positiveInt(scope.path.session ?? '');
    const [session] = id === null ? [] : await this.find(scope, 0, id, 1);
    if (!session) throw notFound('session');
    const missing = session.permissions.filter((permission) => !scope.key.permissions.includes(permission));
    if (missing.length > 0) throw tooWeak(missing, 'session that it would end');
    await this.end(scope, session.id);
  }

  private async end(scope: Scope, id: number): Promise<void> {
    await this.prisma.change(actorOf(scope), (tx) => tx.$executeRawUnsafe(END_SESSION, id));
    this.scopes.forget(id);
  }

  private async read(id: number, client: SqlTransaction = this.prisma): Promise<SessionDto> {
    const [row] = await client.$queryRawUnsafe<SessionRow[]>(FIND_OWN_SESSION, id);
    if (!row) throw unauthorized('The session has ended. Sign in again.');
    return SessionDto.from(row);
  }

  private find({ organizationId, key }: Scope, after: number, id: number | null, limit: number) {
    const values = [organizationId, key.projectId, key.applicationId, after, id, limit];
    return this.prisma.$queryRawUnsafe<SessionRow[]>(FIND_SESSIONS, ...values);
  }
}
