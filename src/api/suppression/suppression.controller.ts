import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentFilter, anyText, oneOf } from '../../platform/http/list/filter.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { CAUSES } from './suppression.js';
import { CreateSuppressionDto, SuppressionDto } from './suppression.dto.js';
import { SuppressionService } from './suppression.service.js';
import { MAX_SEARCH_LENGTH, searchProblem } from '../user/search/user-search.js';
import type { SuppressionFilter } from './suppression.sql.js';

@ApiTags('Suppressions')
@Controller('api/o/:org/suppressions')
export class SuppressionController {
  constructor(private readonly suppressions: SuppressionService) {}

  /** List the addresses that get no messages. A key that is bound to a project sees those of the project only. */
  @Get()
  @RequirePermission(Permission.SuppressionRead, 'project')
  @AnswersList(SuppressionDto, 'The suppressions, oldest first.', {
    address: { description: 'Only this address.', schema: { type: 'string' } },
    search: {
      description:
        'Only addresses that contain this text, in upper or lower case. One request looks through 20,000 suppressions: a page may have fewer items than its limit, or none, and a `Link` to the next one.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_LENGTH },
    },
    cause: { description: 'Only with this cause.', schema: { type: 'string', enum: CAUSES } },
  })
  list(
    @CurrentScope() scope: Scope,
    @CurrentPage() page: Page,
    @CurrentFilter({ address: anyText, cause: oneOf(CAUSES), search: searchProblem }) filter: SuppressionFilter,
  ) {
    return this.suppressions.list(scope, page, filter);
  }

  /**
   * Suppress an address: it gets no messages from now on, also none that wait to be sent again.
   *
   * @remarks An address that is suppressed for the same cause gets the new `note` and the new `expires_at`. A key that is bound to a project
   * suppresses the address for the messages of the project. With `dry_run=1` nothing is stored: the answer is what would be, and its `id` may become another one.
   */
  @Post()
  @HttpCode(200)
  @RequirePermission(Permission.SuppressionWrite, 'project')
  @Spends('storage')
  @AcceptsQuery({
    name: 'dry_run',
    description: 'Check the suppression, and store nothing.',
    schema: { type: 'string', enum: ['1'] },
  })
  create(
    @CurrentScope() scope: Scope,
    @CurrentFilter({ dry_run: oneOf(['1']) }) { dry_run }: { dry_run: string | null },
    @Body() body: CreateSuppressionDto,
  ): Promise<SuppressionDto> {
    return this.suppressions.create(scope, body, { dryRun: dry_run !== null });
  }

  /** Retrieve a suppression with its evidence. */
  @Get(':suppression')
  @AnswersEtag()
  @RequirePermission(Permission.SuppressionRead, 'project')
  get(@CurrentScope() scope: Scope): Promise<SuppressionDto> {
    return this.suppressions.get(scope);
  }

  /** Lift a suppression. The address gets messages again, unless it is also suppressed for another cause. */
  @Delete(':suppression')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.SuppressionWrite, 'project')
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.suppressions.remove(scope);
  }
}
