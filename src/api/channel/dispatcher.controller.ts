import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { DispatcherDto } from './dispatcher.dto.js';

@ApiTags('Channels')
@Controller('api/dispatchers')
export class DispatcherController {
  constructor(@Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>) {}

  /** List the channel types, and the settings of each. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @ApiOkResponse({ description: 'The types, ordered by name.', type: DispatcherDto, isArray: true })
  list(): DispatcherDto[] {
    const all = [...this.dispatchers.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
    return all.map(DispatcherDto.from);
  }
}
