import { Global, Inject, Logger, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../platform/config/config.js';
import type { Config } from '../platform/config/config.js';
import { secretKeyOf } from '../platform/secret/secret-key.js';
import { BounceAddresses } from './bounce/bounce-address.js';
import type { Dispatcher } from './dispatcher.js';
import { Outbound } from './outbound/outbound.js';
import { dispatchers } from './registry.js';
import { TOKEN_STORE, type TokenStore } from './token/token-store.js';

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
      // A command that sends nothing has no store.
      inject: [Outbound, BounceAddresses, CONFIG, { token: TOKEN_STORE, optional: true }],
      useFactory: (outbound: Outbound, bounces: BounceAddresses, { providersDir }: Config, tokenStore?: TokenStore) =>
        dispatchers({ outbound, log: (line) => logger.log(line), bounces, providersDir, tokenStore }),
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
  constructor(
    @Inject(DISPATCHERS) private readonly all: ReadonlyMap<string, Dispatcher>,
    private readonly outbound: Outbound,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.all.values()].map(async (dispatcher) => dispatcher.close?.()));
    this.outbound.closeSessions();
  }
}
