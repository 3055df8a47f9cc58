import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CellCircuits } from './cell-circuits.js';
import { Forward } from './forward.js';
import { PlacesCopy } from '../directory/places-copy.js';
import { WriteHolds } from './write-holds.js';
import { OTHER_CELLS } from '../../auth/other-cells.js';
import { Ask } from './ask.js';
import { Door } from './door.js';
import { KeysElsewhere } from './keys-elsewhere.js';
import { WriteInterceptor } from './write.interceptor.js';

/** Requests and keys of other cells. Imported only with cells: the interceptor alone costs a third of a ping. */
@Global()
@Module({
  providers: [
    PlacesCopy,
    CellCircuits,
    Forward,
    Ask,
    KeysElsewhere,
    Door,
    WriteHolds,
    { provide: OTHER_CELLS, useExisting: KeysElsewhere },
    { provide: APP_INTERCEPTOR, useClass: WriteInterceptor },
  ],
  exports: [OTHER_CELLS],
})
export class ForwardingModule {}
