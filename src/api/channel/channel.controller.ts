import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { ChannelWaitingService } from './channel-waiting.service.js';
import { ChannelTestService } from './channel-test.service.js';
import {
  ChannelDto,
  ChannelSettingsDto,
  CreateChannelDto,
  DiscardedDto,
  TestChannelDto,
  TestedChannelDto,
  UpdateChannelDto,
  WaitingForChannelDto,
} from './channel.dto.js';
import { ChannelService } from './channel.service.js';
import { ChannelCheckDto } from './check/channel-check.dto.js';
import { ChannelCheckService } from './check/channel-check.service.js';
import { ChannelDomainsDto } from './domain/channel-domains.dto.js';
import { ChannelDomainsService } from './domain/channel-domains.service.js';

const FALLBACK_DELETED = 'Another request has just deleted the fallback. Try again.';

/**
 * The same operations at two paths. `owner` is also the reach that a key needs to write: the whole organization for the
 * organization's channels, the whole project for a project's channels. Summaries that name the owner are in `@ApiOperation`, because
 * the text of a doc comment cannot vary.
 */
function channelController(owner: 'organization' | 'project', path: string) {
  const theChannels = owner === 'organization' ? "The organization's own channels" : "The project's channels";

  @ApiTags('Channels')
  @Controller(path)
  class ChannelController {
    constructor(
      readonly channels: ChannelService,
      readonly tests: ChannelTestService,
      readonly checks: ChannelCheckService,
      readonly waits: ChannelWaitingService,
      readonly domains: ChannelDomainsService,
    ) {}

    @Get()
    @RequirePermission(Permission.OrganizationRead)
    @ApiOperation({ summary: `List the ${owner}'s channels.` })
    @AnswersList(ChannelDto, `${theChannels}, ordered by slug.`)
    list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
      return this.channels.list(scope, page);
    }

    @Post()
    @RequirePermission(Permission.ChannelWrite, owner)
    @Spends('storage')
    @ApiOperation({ summary: `Create a channel of the ${owner}.` })
    @ApiConflictResponse({ description: FALLBACK_DELETED })
    create(@CurrentScope() scope: Scope, @Body() body: CreateChannelDto): Promise<ChannelSettingsDto> {
      return this.channels.create(scope, body);
    }

    @Get(':channel')
    @AnswersEtag()
    @RequirePermission(Permission.OrganizationRead)
    @ApiOperation({ summary: `Retrieve a channel of the ${owner}, with its settings.` })
    get(@CurrentScope() scope: Scope): Promise<ChannelSettingsDto> {
      return this.channels.get(scope);
    }

    /**
     * Update a channel.
     *
     * @remarks Fields that you leave out keep their values. `config` is replaced as a whole, but a masked secret keeps its value. Waiting
     * messages are sent with the new settings.
     */
    @Patch(':channel')
    @ChecksEtag()
    @RequirePermission(Permission.ChannelWrite, owner)
    @ApiOperation({ summary: `Update a channel of the ${owner}.` })
    @ApiConflictResponse({ description: FALLBACK_DELETED })
    update(@CurrentScope() scope: Scope, @Body() body: UpdateChannelDto): Promise<ChannelSettingsDto> {
      return this.channels.update(scope, body);
    }

    @Delete(':channel')
    @ChecksEtag()
    @HttpCode(204)
    @RequirePermission(Permission.ChannelWrite, owner)
    @ApiOperation({ summary: `Delete a channel of the ${owner}.` })
    @ApiConflictResponse({
      description: 'A notification, a member or another channel still uses it. The problem detail lists them.',
    })
    remove(@CurrentScope() scope: Scope): Promise<void> {
      return this.channels.remove(scope);
    }

    @Post(':channel/test')
    @HttpCode(200)
    @RequirePermission(Permission.ChannelWrite, owner, 'own')
    @ApiOperation({
      summary: `Send a test message over a channel of the ${owner}, and return the response of the provider.`,
    })
    @ApiConflictResponse({
      description:
        'The secrets of the channel can no longer be decrypted, or this service has no dispatcher for its type.',
    })
    test(@CurrentScope() scope: Scope, @Body() body: TestChannelDto): Promise<TestedChannelDto> {
      return this.tests.test(scope, body);
    }

    /**
     * Check the settings of a channel.
     *
     * @remarks Calls the provider with the settings of the channel, and sends no message. The provider has 10 seconds to answer. An organization may have two
     * checks under way. `settings_check` of `GET /api/dispatchers/` says which channel types have such a call. If the settings
     * are right, `templates` compares the templates that notifications name with those of the provider, which has 15 seconds more for them.
     */
    @Post(':channel/check')
    @HttpCode(200)
    @RequirePermission(Permission.ChannelWrite, owner, 'own')
    @ApiOperation({ summary: `Check the settings of a channel of the ${owner} at its provider, and send nothing.` })
    @ApiConflictResponse({
      description:
        'There is nothing to check: the channel type has no such call. Or the secrets of the channel can no longer be decrypted.',
    })
    check(@CurrentScope() scope: Scope): Promise<ChannelCheckDto> {
      return this.checks.check(scope);
    }

    /**
     * Check the domains that a channel sends mail from.
     *
     * @remarks Looks up SPF, the public keys of DKIM and DMARC of the domains of `from` and `from_domains`, and compares them with the settings.
     * After 20 seconds, the rest is `unknown`. An organization may have two checks under way.
     */
    @Get(':channel/domains')
    @RequirePermission(Permission.OrganizationRead)
    @ApiOperation({ summary: `Check the DNS records of the domains that a channel of the ${owner} sends mail from.` })
    @ApiConflictResponse({
      description: 'The settings of the channel are wrong, or its secrets can no longer be decrypted.',
    })
    checkDomains(@CurrentScope() scope: Scope): Promise<ChannelDomainsDto> {
      return this.domains.check(scope);
    }

    /**
     * Count the messages that wait for a channel.
     *
     * @remarks While a channel is switched off, its messages wait: until it is switched on, until they expire, or for seven days. While its
     * provider fails, they wait for their next attempt.
     */
    @Get(':channel/waiting')
    @RequirePermission(Permission.OccurrenceRead, owner)
    @ApiOperation({ summary: `Count the messages that wait for a channel of the ${owner} that is off or fails.` })
    getWaiting(@CurrentScope() scope: Scope): Promise<WaitingForChannelDto> {
      return this.waits.get(scope);
    }

    /**
     * Discard the messages that wait for a channel.
     *
     * @remarks Messages that are not due yet are not discarded: they wait for quiet hours, for a digest, or for their next attempt. The gate of
     * a discarded delivery is `canceled`. Nothing waits for a channel that is switched on. This cannot be undone.
     */
    @Post(':channel/discard')
    @HttpCode(200)
    @RequirePermission(Permission.OccurrenceWrite, owner)
    @ApiOperation({ summary: `Discard the messages that wait until a channel of the ${owner} is switched on.` })
    discardWaiting(@CurrentScope() scope: Scope): Promise<DiscardedDto> {
      return this.waits.discard(scope);
    }
  }
  return ChannelController;
}

export class OrganizationChannelController extends channelController('organization', 'api/o/:org/c') {}

export class ProjectChannelController extends channelController('project', 'api/o/:org/p/:prj/c') {}
