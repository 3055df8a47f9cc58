import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.js';
import { Database } from '../database/database.js';
import { Telemetry } from './telemetry.js';

@Global()
@Module({
  providers: [{ provide: Telemetry, inject: [CONFIG, Database], useFactory: Telemetry.open }],
  exports: [Telemetry],
})
export class TelemetryModule {}
