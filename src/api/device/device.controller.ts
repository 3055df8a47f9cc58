import { Body, Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { OpenToRecipient, RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { DeviceDto, PutDeviceDto } from './device.dto.js';
import { DeviceService } from './device.service.js';

@ApiTags('Users')
@Controller('api/o/:org/u/:username/devices')
export class DeviceController {
  constructor(private readonly devices: DeviceService) {}

  /**
   * List the user's devices: phones, tablets and browsers that push messages reach.
   *
   * @remarks Push subscriptions of browsers that were added as addresses are listed too, with the app `webpush`.
   */
  @Get()
  @RequirePermission(Permission.DeviceRead)
  @OpenToRecipient('devices')
  @AnswersList(DeviceDto, 'The devices, in the order of their addresses.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.devices.list(scope, page);
  }

  /**
   * Register a device, or refresh it.
   *
   * @remarks An app does this at each start, and when its push address changes. The body replaces everything that is known about the device. A device
   * belongs to one user of the organization: it moves to the user who registers it, and messages of the user before no longer reach it. If another device has
   * the same push address, this one replaces it. A user has at most 20 devices: the next one replaces the one that was not seen for longest. A
   * device that its provider has refused for good gets messages again.
   */
  @Put(':bundle/:device')
  @RequirePermission(Permission.DeviceWrite, 'organization')
  @OpenToRecipient('devices')
  @Spends('storage')
  put(@CurrentScope() scope: Scope, @Body() body: PutDeviceDto): Promise<DeviceDto> {
    return this.devices.put(scope, body);
  }

  /**
   * Remove a device of the user: it gets no more messages.
   *
   * @remarks An app does this when its user signs out. A distribution list that uses the address of the device loses it.
   */
  @Delete(':bundle/:device')
  @HttpCode(204)
  @RequirePermission(Permission.DeviceWrite, 'organization')
  @OpenToRecipient('devices')
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.devices.remove(scope);
  }
}
