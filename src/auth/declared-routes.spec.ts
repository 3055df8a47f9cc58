import { expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DeclaredRoutes } from './declared-routes.js';
import { Public, RequirePermission } from './require-permission.decorator.js';

@Controller('good')
class Good {
  @Get('open')
  @Public()
  open(): string {
    return this.helps();
  }

  @Get('closed')
  @RequirePermission('system:ping')
  closed(): string {
    return this.helps();
  }

  /** No route. */
  helps(): string {
    return 'ok';
  }
}

@Controller('bad')
class Bad {
  @Get('forgotten')
  forgotten(): string {
    return 'secret';
  }
}

const start = async (...controllers: (typeof Good | typeof Bad)[]) => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [DeclaredRoutes],
  }).compile();
  await module.init();
  await module.close();
};

it('lets a service start whose routes all say who may call them', async () => {
  await expect(start(Good)).resolves.toBeUndefined();
});

it('stops the start if a route does not say who may call it', async () => {
  await expect(start(Good, Bad)).rejects.toThrow('Bad.forgotten needs @RequirePermission() or @Public()');
});
