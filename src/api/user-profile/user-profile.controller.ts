import { Body, Controller, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb, LinesBody } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter, oneOf } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { USER_FILTERS, USER_FILTER_TEXTS } from '../user/search/user-filter.js';
import type { UserListFilter } from '../user/search/user-filter.js';
import { MAX_PROFILE_KB, PutUserProfileDto, UserProfileDto } from './user-profile.dto.js';
import { UserProfileService } from './user-profile.service.js';
import { UserUploadService } from './user-upload.service.js';

/** Some 50,000 small users. */
const UPLOAD_KB = 16 * 1024;

interface UploadQuery {
  mode: string | null;
  dry_run: string | null;
}

@ApiTags('Users')
@Controller('api/o/:org/users')
export class UserProfileController {
  constructor(
    private readonly profiles: UserProfileService,
    private readonly uploads: UserUploadService,
  ) {}

  /**
   * List whole users, without their memberships and preferences.
   *
   * @remarks `carillon export users` reads them so, and `carillon import users` takes the same fields. An address of a user is an item of `addresses`, except the e-mail.
   * The filters are those of the list of users: with one, a page may have fewer items than its limit, or none, although others follow.
   */
  @Get()
  @RequirePermission(Permission.UserRead, 'organization')
  @AnswersList(
    UserProfileDto,
    'The users, ordered by id; those that a search finds inside of words come after the others.',
    USER_FILTER_TEXTS,
  )
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentFilter(USER_FILTERS) filter: UserListFilter) {
    return this.profiles.list(scope, page, filter);
  }

  /**
   * Retrieve a whole user: everything that decides which messages the user gets.
   *
   * @remarks You can send the answer back unchanged. Suppressed addresses are not part of it: they belong to the organization.
   */
  @Get(':email')
  @AnswersEtag()
  @RequirePermission(Permission.UserRead, 'organization')
  get(@CurrentScope() scope: Scope): Promise<UserProfileDto> {
    return this.profiles.get(scope);
  }

  /**
   * Create or replace a whole user.
   *
   * @remarks `first_name`, `last_name` and `custom_fields` are replaced: if you leave them out, they become empty. `locked`, `addresses`, `time_zone`,
   * `quiet_hours`, `locale`, `memberships` and `preferences` are replaced only if they are in the body. `memberships` also needs the permission
   * `distributionlist:write`, and `preferences` needs `preference:write`. An address that a membership uses can only be removed together with the
   * membership.
   */
  @Put(':email')
  @ChecksEtag()
  @BodyLimitKb(MAX_PROFILE_KB)
  @RequirePermission(Permission.UserWrite, 'organization')
  @Spends('storage')
  @ApiBody({ type: PutUserProfileDto, required: false })
  put(@CurrentScope() scope: Scope, @Body() body: unknown): Promise<UserProfileDto> {
    return this.profiles.put(scope, body);
  }

  /**
   * Create or replace many whole users.
   *
   * @remarks The body is NDJSON: one user a line, as `PUT` of one user takes it, with its `email`. At most 50,000 lines, and 1 MB a line. Lines are stored in
   * batches, in their order. A line that is refused does not stop the others. If the connection breaks, send the lines again: what is stored
   * already does not change.
   *
   * The answer is NDJSON, too, and is sent while the lines are stored. The `kind` of a line is `error` (with `line`, and `errors` and `codes` as in
   * a problem; the first 1,000), `progress` (`lines`, `created`, `replaced` and `refused` so far) or `summary`. The summary is the last line. If its
   * `complete` is false, `detail` says why lines were left out. Without a summary, the answer was cut off.
   *
   * With `mode=merge`, a line changes only what it has: fields that are left out keep their values, `custom_fields` are merged into the stored ones, and
   * `addresses` and `memberships` are added. Lines take no `preferences` then. With `dry_run=1` nothing is stored: the answer says what would be.
   *
   * `memberships` also needs the permission `distributionlist:write`, and `preferences` needs `preference:write`: without it, the line is refused. An organization
   * uploads one body at a time (429).
   */
  @Post()
  @HttpCode(200)
  @LinesBody(UPLOAD_KB)
  @RequirePermission(Permission.UserWrite, 'organization', 'own')
  @Spends('storage')
  @ApiConsumes('application/x-ndjson')
  @ApiBody({ schema: { type: 'string' } })
  @ApiOkResponse({ description: 'The lines.', content: { 'application/x-ndjson': { schema: { type: 'string' } } } })
  @AcceptsQuery({
    name: 'mode',
    description: 'Change only what the lines have, instead of replacing whole users.',
    schema: { type: 'string', enum: ['merge'] },
  })
  @AcceptsQuery({
    name: 'dry_run',
    description: 'Check the lines, and store nothing.',
    schema: { type: 'string', enum: ['1'] },
  })
  import(
    @CurrentScope() scope: Scope,
    @CurrentFilter({ mode: oneOf(['merge']), dry_run: oneOf(['1']) }) { mode, dry_run }: UploadQuery,
    @Body() body: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const options = { merge: mode !== null, dryRun: dry_run !== null };
    return this.uploads.import(scope, (body as Buffer | undefined) ?? Buffer.alloc(0), options, response);
  }
}
