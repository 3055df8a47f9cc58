import { Global, Module } from '@nestjs/common';
import { Resources } from './resources.js';

@Global()
@Module({ providers: [Resources], exports: [Resources] })
export class ResourceModule {}
