import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import {
  PUBLIC,
  RECIPIENT_SCOPE,
  REQUIRED_PERMISSION,
  REQUIRED_REACH,
} from '../../../src/auth/require-permission.decorator.js';
import type { TestApp } from '../app/app.js';

export interface Route {
  method: string;
  path: string;
  /** A permission, or `public`, or nothing at all. */
  access: string | undefined;
  /** What a key must reach the whole of. */
  reach: string | undefined;
  /** The scope with which a recipient token reaches it too. */
  recipientScope: string | undefined;
}

/** Every route of every controller, with what it declares. */
export function declaredRoutes({ app }: TestApp): Route[] {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype, instance }) => {
      const home = reflector.get<string>(PATH_METADATA, metatype!);
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => void>;
      return scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name]!;
        const path = reflector.get<string | undefined>(PATH_METADATA, handler);
        if (path === undefined) return [];
        const access = reflector.get<boolean>(PUBLIC, handler)
          ? 'public'
          : reflector.get<string>(REQUIRED_PERMISSION, handler);
        const full = `/${home}/${path}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
        const method = RequestMethod[reflector.get<RequestMethod>(METHOD_METADATA, handler)];
        const reach = reflector.get<string | undefined>(REQUIRED_REACH, handler);
        const recipientScope = reflector.get<string | undefined>(RECIPIENT_SCOPE, handler);
        return [{ method, path: full, access, reach, recipientScope }];
      });
    });
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Every route that Express really serves, whoever registered it. */
export function servedRoutes({ app }: TestApp): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack.flatMap(({ route }) =>
    route
      ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path.replace(/(?<=.)\/$/, '')}`)
      : [],
  );
}
