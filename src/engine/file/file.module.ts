import { Global, Module } from '@nestjs/common';
import { FetchFiles } from './fetch-files.js';
import { FileCache } from './file-cache.js';
import { FileStore } from './file-store.js';

@Global()
@Module({ providers: [FileStore, FileCache, FetchFiles], exports: [FileStore, FileCache, FetchFiles] })
export class FileModule {}
