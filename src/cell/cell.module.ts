import { Global, Module } from '@nestjs/common';
import { Cells } from './directory/cells.js';

@Global()
@Module({ providers: [Cells], exports: [Cells] })
export class CellModule {}
