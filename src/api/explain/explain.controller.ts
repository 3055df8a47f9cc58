import { Controller, Get, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { AcceptsQuery } from '../../platform/http/query.js';
import { Explain } from './explain.js';
import { ExplainedUserDto, ExplainedTotalsDto } from './explain.dto.js';

const MAX_USERNAME = 254;

@ApiTags('Occurrences')
@ApiExtraModels(ExplainedUserDto, ExplainedTotalsDto)
@Controller('api/o/:org/occurrences/:occurrence/explain')
export class ExplainController {
  constructor(private readonly explanations: Explain) {}

  /**
   * Explain why a user was or was not sent a message; without `user`, the outcomes for everyone.
   *
   * @remarks To name a `user`, the key needs the permission `user:read` too. Stored deliveries and decisions count first. Where nothing is stored, the notifications as they were at the time of the
   * trigger are applied to the users as they are now; `evaluated` tells which of the two it was.
   */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AcceptsQuery({
    name: 'user',
    description: 'The username of the user. This also requires the permission `user:read`.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_USERNAME },
    example: 'ann@example.com',
  })
  @ApiOkResponse({
    description: 'The explanation for the user, or the numbers for everyone.',
    schema: { oneOf: [ExplainedUserDto, ExplainedTotalsDto].map((dto) => ({ $ref: getSchemaPath(dto) })) },
  })
  async explain(
    @CurrentScope() scope: Scope,
    @Query('user') user: unknown,
  ): Promise<ExplainedUserDto | ExplainedTotalsDto> {
    const { organizationId, occurrenceId } = scope;
    // It shows the name, the lists and the state of any user, also of one who was sent nothing.
    if (user !== undefined) scope.require(Permission.UserRead);
    const username = readUsername(user);
    const explained =
      username === null
        ? await this.explanations.totals(organizationId, occurrenceId)
        : await this.explanations.forUser(organizationId, occurrenceId, username);
    if (!explained) throw notFound('occurrence');
    return explained;
  }
}

function readUsername(value: unknown): string | null {
  if (value === undefined) return null;
  const isGood = typeof value === 'string' && value !== '' && lengthOf(value) <= MAX_USERNAME && !value.includes('\0');
  if (!isGood)
    throw invalidField(
      'user',
      'invalid_format',
      `must be given once, as a username of 1 to ${MAX_USERNAME} characters`,
    );
  return value;
}
