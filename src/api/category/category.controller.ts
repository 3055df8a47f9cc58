import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { CategoryDto, CreateCategoryDto, UpdateCategoryDto } from './category.dto.js';
import { CategoryService } from './category.service.js';

@ApiTags('Preferences')
@Controller('api/o/:org/p/:prj/categories')
export class CategoryController {
  constructor(private readonly categories: CategoryService) {}

  /** List the project's categories. */
  @Get()
  @RequirePermission(Permission.EventList)
  @AnswersList(CategoryDto, 'The categories, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.categories.list(scope, page);
  }

  /** Create a category. A project may have 200 of them, an organization 1,000. */
  @Post()
  @RequirePermission(Permission.EventWrite, 'project')
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateCategoryDto): Promise<CategoryDto> {
    return this.categories.create(scope, body);
  }

  /** Retrieve a category. */
  @Get(':category')
  @AnswersEtag()
  @RequirePermission(Permission.EventList)
  get(@CurrentScope() scope: Scope): Promise<CategoryDto> {
    return this.categories.get(scope);
  }

  /**
   * Update a category.
   *
   * @remarks Fields that you leave out keep their values; `channels` is replaced as a whole. What users have chosen is kept. It also
   * counts for messages that wait.
   */
  @Patch(':category')
  @ChecksEtag()
  @RequirePermission(Permission.EventWrite, 'project')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateCategoryDto): Promise<CategoryDto> {
    return this.categories.update(scope, body);
  }

  /** Delete a category, and what users have chosen about it. */
  @Delete(':category')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.EventWrite, 'project')
  @ApiConflictResponse({ description: 'An event still uses it. The problem detail lists the events.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.categories.remove(scope);
  }
}
