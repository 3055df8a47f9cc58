import { Body, Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import type { FragmentKind } from './fragments.js';
import { FragmentDto, FragmentUseDto, LAYOUT_LIMIT_KB, PutFragmentDto } from './layout.dto.js';
import { LayoutService } from './layout.service.js';

/**
 * The same operations at four paths. `owner` is also the reach that a key needs to write, as with channels. Summaries are in `@ApiOperation`,
 * because the text of a doc comment cannot vary.
 */
function fragmentController(kind: FragmentKind, owner: 'organization' | 'project', path: string) {
  @ApiTags('Layouts')
  @Controller(path)
  class FragmentController {
    constructor(readonly fragments: LayoutService) {}

    @Get()
    @RequirePermission(Permission.NotificationRead)
    @ApiOperation({ summary: `List the ${owner}'s ${kind}s.` })
    @AnswersList(FragmentDto, `The ${kind}s of the ${owner}, ordered by slug.`)
    list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
      return this.fragments.list(scope, kind, page);
    }

    /**
     * Retrieve it.
     *
     * @remarks The layout `default` exists always: without a stored one, this is the built-in one.
     */
    @Get(`:${kind}`)
    @AnswersEtag()
    @RequirePermission(Permission.NotificationRead)
    @ApiOperation({ summary: `Retrieve a ${kind} of the ${owner}.` })
    get(@CurrentScope() scope: Scope): Promise<FragmentDto> {
      return this.fragments.get(scope, kind);
    }

    /**
     * Create or replace it.
     *
     * @remarks Every notification that uses it, itself or through others, gets a new revision. Occurrences that were triggered before are sent as they
     * were. `uses` lists these notifications.
     */
    @Put(`:${kind}`)
    @ChecksEtag()
    @BodyLimitKb(LAYOUT_LIMIT_KB)
    @RequirePermission(Permission.NotificationWrite, owner)
    @Spends('storage')
    @ApiOperation({ summary: `Create or replace a ${kind} of the ${owner}.` })
    put(@CurrentScope() scope: Scope, @Body() body: PutFragmentDto): Promise<FragmentDto> {
      return this.fragments.put(scope, kind, body);
    }

    @Delete(`:${kind}`)
    @ChecksEtag()
    @HttpCode(204)
    @RequirePermission(Permission.NotificationWrite, owner)
    @ApiOperation({ summary: `Delete a ${kind} of the ${owner}.` })
    @ApiConflictResponse({ description: 'Something still uses it. The problem detail lists what.' })
    remove(@CurrentScope() scope: Scope): Promise<void> {
      return this.fragments.remove(scope, kind);
    }

    /**
     * List the templates that a change of it touches.
     *
     * @remarks Those that use it themselves, and those that use it through a layout or other partials. The name may be one that is not stored.
     */
    @Get(`:${kind}/uses`)
    @RequirePermission(Permission.NotificationRead, owner)
    @ApiOperation({ summary: `List the templates that a change of a ${kind} of the ${owner} touches.` })
    @AnswersList(FragmentUseDto, 'The templates, ordered by id.')
    listUses(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
      return this.fragments.listUses(scope, kind, page);
    }
  }
  return FragmentController;
}

export class OrganizationLayoutController extends fragmentController('layout', 'organization', 'api/o/:org/layouts') {}

export class ProjectLayoutController extends fragmentController('layout', 'project', 'api/o/:org/p/:prj/layouts') {}

export class OrganizationPartialController extends fragmentController(
  ...(['partial', 'organization', 'api/o/:org/partials'] as const),
) {}

export class ProjectPartialController extends fragmentController('partial', 'project', 'api/o/:org/p/:prj/partials') {}
