import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { SecretBox } from '../common/secret-box.js';
import { CONFIG } from './config.js';
import type { Config } from './config.js';
import { secretKeyOf } from './secret-key.js';

@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: SecretBox, useFactory: () => new SecretBox(secretKeyOf(config)) },
      ],
      exports: [CONFIG, SecretBox],
    };
  }
}
