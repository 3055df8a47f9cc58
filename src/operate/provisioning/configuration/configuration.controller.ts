import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../../auth/permission.js';
import { RequirePermission, Spends } from '../../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../../auth/scope.js';
import type { Scope } from '../../../auth/scope.js';
import { BodyLimitKb } from '../../../platform/http/body/json-body.guard.js';
import { AcceptsQuery } from '../../../platform/http/query.js';
import { AppliesTo, WithUsers } from './configuration-query.js';
import type { ApplyQuery } from './configuration-query.js';
import { ConfigurationChangesDto, ConfigurationDto } from './configuration.dto.js';
import { ConfigurationService } from './configuration.service.js';

/** Enough for a large organization and some ten thousand users. */
const LIMIT_KB = 4096;

const CONFLICT =
  'Another configuration of the organization is being applied, or an entry that is missing from a list cannot be deleted.';

const PRUNE = {
  name: 'prune',
  enum: ['0', '1'],
  description: '`1`: also delete entries that are missing from a list in the configuration.',
};
const MAX_NAMES = {
  name: 'max_names',
  type: 'integer',
  description: 'How many users of each deletion the answer names. Default: 20.',
};

@ApiTags('Configuration')
@Controller('api/o/:org/configuration')
export class ConfigurationController {
  constructor(private readonly configurations: ConfigurationService) {}

  /**
   * Export the organization as a configuration.
   *
   * @remarks It has no secrets: each is a reference to an environment variable, `{ "env": "ACME_MAIL_PASSWORD" }`, which `carillon apply` reads.
   * Replace them before you send it back. A key that is bound to a project gets only this project, without anything of the organization itself.
   *
   * It also needs the permissions to read what is in it: `organization:read`, `event:list`, `notification:read` and `distributionlist:read`; with
   * users, `user:read` and `preference:read`.
   */
  @Get()
  @RequirePermission(Permission.ConfigurationRead, 'project', 'shared')
  @AcceptsQuery({
    name: 'users',
    enum: ['0', '1'],
    description: '`1`: with users and the members of lists, at most 10,000 and 4 MB of them.',
  })
  @ApiConflictResponse({
    description:
      'Something uses a channel of the organization that one of the project hides, so a file cannot name it.',
  })
  get(@CurrentScope() scope: Scope, @WithUsers() users: boolean): Promise<ConfigurationDto> {
    return this.configurations.get(scope, users);
  }

  /**
   * Apply a configuration in one transaction: all of it or nothing.
   *
   * @remarks It creates and changes what the configuration lists. What it leaves out is not changed. To apply it again changes nothing.
   *
   * Everything in it needs the permission and the reach that the operation for it needs, such as `channel:write` for channels. A key that is bound
   * to a project may apply this project, and nothing of the organization itself. A 400 names the first 100 mistakes, by their paths:
   * `projects[0].channels[1].config.url`. Of a body with more than 20,000 values it names only the first one that does not fit the schema. References to environment variables and files are refused: the client replaces them.
   *
   * The body may have 4 MB. An organization applies one configuration at a time, in at most 30 seconds.
   */
  @Put()
  @BodyLimitKb(LIMIT_KB)
  @RequirePermission(Permission.ConfigurationWrite, 'project')
  @Spends('storage')
  @ApiBody({ type: ConfigurationDto })
  @AcceptsQuery(PRUNE)
  @AcceptsQuery(MAX_NAMES)
  @ApiHeader({
    name: 'If-Match',
    description: 'The `version` of a plan. If the deletions differ from it, nothing is changed.',
  })
  @ApiConflictResponse({ description: CONFLICT })
  @ApiResponse({ status: 412, description: 'The deletions differ from the plan in `If-Match`.' })
  put(
    @CurrentScope() scope: Scope,
    @Body() body: unknown,
    @AppliesTo() query: ApplyQuery,
  ): Promise<ConfigurationChangesDto> {
    return this.configurations.apply(scope, body, query, false);
  }

  /**
   * Say what a configuration would change. It changes nothing.
   *
   * @remarks It refuses what applying the configuration would refuse, and needs the same permissions.
   */
  @Post('plan')
  @HttpCode(200)
  @BodyLimitKb(LIMIT_KB)
  @RequirePermission(Permission.ConfigurationRead, 'project', 'shared')
  @ApiBody({ type: ConfigurationDto })
  @AcceptsQuery(PRUNE)
  @AcceptsQuery(MAX_NAMES)
  @ApiConflictResponse({ description: CONFLICT })
  plan(
    @CurrentScope() scope: Scope,
    @Body() body: unknown,
    @AppliesTo() query: ApplyQuery,
  ): Promise<ConfigurationChangesDto> {
    return this.configurations.apply(scope, body, query, true);
  }
}
