import { Global, Module } from '@nestjs/common';
import { Removal } from './removal.js';

@Global()
@Module({ providers: [Removal], exports: [Removal] })
export class DeletionModule {}
