import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.js';
import { Database } from '../database/database.js';
import { Watch } from './watch.js';

@Global()
@Module({ providers: [{ provide: Watch, inject: [CONFIG, Database], useFactory: Watch.open }], exports: [Watch] })
export class WatchModule {}
