import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { SecretBox } from '../common/secret-box.js';
import { CONFIG } from './config.js';
import type { Config } from './config.js';
import { keep } from './keep.js';

@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: SecretBox, useFactory: () => new SecretBox(config.secretKey ?? keptKey(config.dataDir)) },
      ],
      exports: [CONFIG, SecretBox],
    };
  }
}

function keptKey(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  return Buffer.from(
    keep(join(dataDir, 'secret-key'), () => randomBytes(32).toString('base64')),
    'base64',
  );
}
