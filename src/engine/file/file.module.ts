import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { secretKeyOf } from '../../platform/secret/secret-key.js';
import { FetchFiles } from './fetch-files.js';
import { FileCache } from './file-cache.js';
import { FileLinks } from './file-links.js';
import { FileStore } from './file-store.js';

const links = {
  provide: FileLinks,
  inject: [CONFIG],
  useFactory: (config: Config) => new FileLinks(config.linksUrl, secretKeyOf(config), config.previousSecretKey),
};

@Global()
@Module({
  providers: [FileStore, FileCache, FetchFiles, links],
  exports: [FileStore, FileCache, FetchFiles, FileLinks],
})
export class FileModule {}
