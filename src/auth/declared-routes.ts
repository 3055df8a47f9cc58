import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ANY_KEY, PUBLIC, REQUIRED_PERMISSION } from './require-permission.decorator.js';

/** Makes the start fail if a route has neither @RequirePermission() nor @Public(), so that a forgotten decorator does not open a route. */
@Injectable()
export class DeclaredRoutes implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { metatype, instance } of this.discovery.getControllers()) {
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => void>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name]!;
        const isRoute = this.reflector.get<string | undefined>(PATH_METADATA, handler) !== undefined;
        const declared = [PUBLIC, ANY_KEY, REQUIRED_PERMISSION].some((key) =>
          this.reflector.get<unknown>(key, handler),
        );
        if (isRoute && !declared) {
          throw new Error(`${metatype?.name}.${name} needs @RequirePermission() or @Public()`);
        }
      }
    }
  }
}
