import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CellCircuits } from './cell-circuits.js';
import { Forward } from './forward.js';
import { DirectoryReplica } from '../directory/directory-replica.js';
import { WriteHolds } from './write-holds.js';
import { OTHER_CELLS } from '../../auth/other-cells.js';
import { CellClient } from './cell-client.js';
import { CellRouter } from './cell-router.js';
import { RemoteKeys } from './remote-keys.js';
import { WriteInterceptor } from './write.interceptor.js';

/** Requests and keys of other cells. Imported only with cells: the interceptor alone costs a third of a ping. */
@Global()
@Module({
  providers: [
    DirectoryReplica,
    CellCircuits,
    Forward,
    CellClient,
    RemoteKeys,
    CellRouter,
    WriteHolds,
    { provide: OTHER_CELLS, useExisting: RemoteKeys },
    { provide: APP_INTERCEPTOR, useClass: WriteInterceptor },
  ],
  exports: [OTHER_CELLS],
})
export class ForwardingModule {}
