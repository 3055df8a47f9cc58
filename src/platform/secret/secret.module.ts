import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.js';
import type { Config } from '../config/config.js';
import { SecretBox } from './secret-box.js';
import { secretKeyOf } from './secret-key.js';

@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [CONFIG],
      useFactory: (config: Config) => new SecretBox(secretKeyOf(config), config.previousSecretKey),
    },
  ],
  exports: [SecretBox],
})
export class SecretModule {}
