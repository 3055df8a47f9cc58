import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { secretKeyOf } from '../../platform/secret/secret-key.js';
import { AcknowledgeTokens } from '../acknowledge/token.js';
import { MuteTokens } from './mute-token.js';
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
      provide: AcknowledgeTokens,
      inject: [CONFIG],
      useFactory: (config: Config) => new AcknowledgeTokens(secretKeyOf(config), config.previousSecretKey),
    },
    {
      provide: MuteTokens,
      inject: [CONFIG],
      useFactory: (config: Config) => new MuteTokens(secretKeyOf(config), config.previousSecretKey),
    },
    {
      provide: UnsubscribeLinks,
      inject: [UnsubscribeTokens, AcknowledgeTokens, MuteTokens, CONFIG],
      useFactory: (
        tokens: UnsubscribeTokens,
        acknowledgeTokens: AcknowledgeTokens,
        muteTokens: MuteTokens,
        { linksUrl }: Config,
      ) => new UnsubscribeLinks(tokens, acknowledgeTokens, muteTokens, linksUrl),
    },
  ],
  exports: [UnsubscribeTokens, AcknowledgeTokens, MuteTokens, UnsubscribeLinks],
})
export class UnsubscribeModule {}
