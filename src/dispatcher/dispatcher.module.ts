import { Global, Inject, Logger, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../platform/config/config.js';
import type { Config } from '../platform/config/config.js';
import { secretKeyOf } from '../platform/secret/secret-key.js';
import { BounceAddresses } from './bounce/bounce-address.js';
import type { Dispatcher } from './dispatcher.js';
import { Outbound } from './outbound/outbound.js';
import { dispatchers } from './registry.js';

export const DISPATCHERS = Symbol('Dispatchers');

const logger = new Logger('Dispatcher');

@Global()
@Module({
  providers: [
    {
      provide: Outbound,
      inject: [CONFIG],
      useFactory: (config: Config) =>
        new Outbound({ allow: config.outboundAllow, servers: config.nameServers ?? undefined }),
    },
    {
      provide: DISPATCHERS,
      inject: [Outbound, BounceAddresses, CONFIG],
      useFactory: (outbound: Outbound, bounces: BounceAddresses, { providersDir }: Config) =>
        dispatchers({ outbound, log: (line) => logger.log(line), bounces, providersDir }),
    },
    {
      provide: BounceAddresses,
      inject: [CONFIG],
      useFactory: (config: Config) => new BounceAddresses(secretKeyOf(config), config.previousSecretKey),
    },
  ],
  exports: [DISPATCHERS, Outbound, BounceAddresses],
})
export class DispatcherModule implements OnApplicationShutdown {
  constructor(@Inject(DISPATCHERS) private readonly all: ReadonlyMap<string, Dispatcher>) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.all.values()].map(async (dispatcher) => dispatcher.close?.()));
  }
}
