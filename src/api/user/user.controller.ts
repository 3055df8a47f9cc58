import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter, oneOf } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { USER_FILTERS, USER_FILTER_TEXTS } from './search/user-filter.js';
import type { UserListFilter } from './search/user-filter.js';
import { CreateUserDto, CreatedUserDto, UpdateUserDto, UpdatedUserDto, UserDto } from './user.dto.js';
import { UserService } from './user.service.js';

interface EraseFilter {
  erase: string | null;
}

@ApiTags('Users')
@Controller('api/o/:org/u')
export class UserController {
  constructor(private readonly users: UserService) {}

  /**
   * List the organization's users.
   *
   * @remarks With a filter, one request looks through the users for half a second: a page may have fewer items than its limit, or none, although others follow.
   * Its `Link` header leads on.
   */
  @Get()
  @RequirePermission(Permission.UserRead)
  @AnswersList(
    UserDto,
    'The users, ordered by id; those that a search finds inside of words come after the others.',
    USER_FILTER_TEXTS,
  )
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentFilter(USER_FILTERS) filter: UserListFilter) {
    return this.users.list(scope, page, filter);
  }

  /**
   * Create a user.
   *
   * @remarks A key that is bound to a project or an application cannot: users belong to the organization.
   */
  @Post()
  @RequirePermission(Permission.UserWrite, 'organization')
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateUserDto): Promise<CreatedUserDto> {
    return this.users.create(scope, body);
  }

  /** Retrieve a user. */
  @Get(':username')
  @RequirePermission(Permission.UserRead)
  get(@CurrentScope() scope: Scope): Promise<UserDto> {
    return this.users.get(scope);
  }

  /**
   * Update a user. Fields that are not in the body keep their values.
   *
   * @remarks A key that is bound to a project or an application cannot: users belong to the organization.
   */
  @Patch(':username')
  @RequirePermission(Permission.UserWrite, 'organization')
  @ApiConflictResponse({ description: 'The organization has used up a quota; the answer names it.' })
  update(@CurrentScope() scope: Scope, @Body() body: UpdateUserDto): Promise<UpdatedUserDto> {
    return this.users.update(scope, body);
  }

  /** Update a user, exactly as PATCH does. */
  @Put(':username')
  @RequirePermission(Permission.UserWrite, 'organization')
  @ApiConflictResponse({ description: 'The organization has used up a quota; the answer names it.' })
  put(@CurrentScope() scope: Scope, @Body() body: UpdateUserDto): Promise<UpdatedUserDto> {
    return this.users.update(scope, body);
  }

  /**
   * Delete a user with their addresses, list memberships and inbox. Records of messages sent to them are kept until their retention ends.
   *
   * @remarks With `?erase=1` these records lose the data of the user: texts, addresses and the answers of providers, and the addresses in contexts and
   * options of occurrences. Counts, times and outcomes stay. This happens in the background, usually within seconds; what was being sent at
   * that moment follows after 15 minutes. An address that was suppressed stays suppressed: a keyed digest of it is kept. The audit log
   * gets an entry `erase` without personal data. Messages to others, and posts to rooms, keep their texts.
   */
  @Delete(':username')
  @HttpCode(204)
  @RequirePermission(Permission.UserWrite, 'organization')
  @AcceptsQuery({
    name: 'erase',
    description: 'Also remove the data of the user from the history of messages.',
    schema: { type: 'string', enum: ['1'] },
  })
  remove(@CurrentScope() scope: Scope, @CurrentFilter({ erase: oneOf(['1']) }) { erase }: EraseFilter): Promise<void> {
    return this.users.remove(scope, { erase: erase !== null });
  }
}
