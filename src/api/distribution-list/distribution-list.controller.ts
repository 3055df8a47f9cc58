import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CurrentBaseUrl } from '../../platform/http/base-url.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import {
  CreateDistributionListDto,
  DistributionListDto,
  DistributionListSettingsDto,
  UpdateDistributionListDto,
} from './distribution-list.dto.js';
import { DistributionListService } from './distribution-list.service.js';

@ApiTags('Distribution lists')
@Controller('api/o/:org/p/:prj/d')
export class DistributionListController {
  constructor(private readonly lists: DistributionListService) {}

  /** List the project's distribution lists. */
  @Get()
  @RequirePermission(Permission.DistributionListRead)
  @AnswersList(DistributionListDto, 'The distribution lists, ordered by id.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.lists.list(scope, page, baseUrl);
  }

  /** Create a distribution list. */
  @Post()
  @RequirePermission(Permission.DistributionListWrite)
  @Spends('storage')
  create(
    @CurrentScope() scope: Scope,
    @Body() body: CreateDistributionListDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<DistributionListDto> {
    return this.lists.create(scope, body, baseUrl);
  }

  /** Retrieve a distribution list. */
  @Get(':pk')
  @RequirePermission(Permission.DistributionListRead)
  get(@CurrentScope() scope: Scope, @CurrentBaseUrl() baseUrl: string): Promise<DistributionListDto> {
    return this.lists.get(scope, baseUrl);
  }

  /** Retrieve the settings of a distribution list: its name, and whether users join it themselves. */
  @Get(':pk/settings')
  @AnswersEtag()
  @RequirePermission(Permission.DistributionListRead)
  getSettings(@CurrentScope() scope: Scope): Promise<DistributionListSettingsDto> {
    return this.lists.getSettings(scope);
  }

  /** Rename a distribution list, describe it, or let users join and leave it. Fields that you leave out keep their values. */
  @Patch(':pk')
  @ChecksEtag()
  @RequirePermission(Permission.DistributionListWrite, 'project')
  update(
    @CurrentScope() scope: Scope,
    @Body() body: UpdateDistributionListDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<DistributionListDto> {
    return this.lists.update(scope, body, baseUrl);
  }

  /** Delete a distribution list. The users in it are kept. */
  @Delete(':pk')
  @HttpCode(204)
  @RequirePermission(Permission.DistributionListWrite, 'project')
  @ApiConflictResponse({ description: 'A notification still uses it. The problem detail lists the notifications.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.lists.remove(scope);
  }
}
