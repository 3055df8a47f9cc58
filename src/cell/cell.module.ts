import { Global, Module } from '@nestjs/common';
import { Cells } from './cells.js';
import { IdOrders } from './order/id-orders.js';

@Global()
@Module({ providers: [Cells, IdOrders], exports: [Cells, IdOrders] })
export class CellModule {}
