import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { secretKeyOf } from '../../platform/secret/secret-key.js';
import { UnsubscribeTokens } from './token.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

@Global()
@Module({
  providers: [
    {
      provide: UnsubscribeTokens,
      inject: [CONFIG],
      useFactory: (config: Config) => new UnsubscribeTokens(secretKeyOf(config), config.previousSecretKey),
    },
    {
      provide: UnsubscribeLinks,
      inject: [UnsubscribeTokens, CONFIG],
      useFactory: (tokens: UnsubscribeTokens, { publicUrl }: Config) => new UnsubscribeLinks(tokens, publicUrl),
    },
  ],
  exports: [UnsubscribeTokens, UnsubscribeLinks],
})
export class UnsubscribeModule {}
