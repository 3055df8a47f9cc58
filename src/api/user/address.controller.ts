import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { AddressDto, CreateAddressDto, UpdateAddressDto } from './address.dto.js';
import { AddressService } from './address.service.js';

@ApiTags('Users')
@Controller('api/o/:org/u/:username/address')
export class AddressController {
  constructor(private readonly addresses: AddressService) {}

  /** List the user's addresses. */
  @Get()
  @RequirePermission(Permission.UserRead)
  @AnswersList(AddressDto, 'The addresses, oldest first.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page) {
    return this.addresses.list(scope, page);
  }

  /**
   * Add an address to the user.
   *
   * @remarks A key that is bound to a project or an application cannot: messages of other projects would go to the address too.
   */
  @Post()
  @HttpCode(200)
  @RequirePermission(Permission.UserWrite, 'organization')
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateAddressDto): Promise<AddressDto> {
    return this.addresses.create(scope, body);
  }

  /** Change an address. Distribution lists that use the address then use the new one. */
  @Patch(':name/:value')
  @RequirePermission(Permission.UserWrite, 'organization')
  @ApiConflictResponse({ description: 'The address belongs to a device, which its app registers.' })
  update(@CurrentScope() scope: Scope, @Body() body: UpdateAddressDto): Promise<AddressDto> {
    return this.addresses.update(scope, body);
  }

  /** Delete an address. If it belongs to a device, the device goes with it. */
  @Delete(':name/:value')
  @HttpCode(204)
  @RequirePermission(Permission.UserWrite, 'organization')
  @ApiConflictResponse({ description: 'A distribution list uses the address; the answer names the list.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.addresses.remove(scope);
  }
}
