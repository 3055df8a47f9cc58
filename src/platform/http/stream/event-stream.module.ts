import { Global, Module } from '@nestjs/common';
import { Unsent } from '../limit/unsent.js';
import { EventStreams } from './event-stream.js';

@Global()
@Module({
  providers: [
    { provide: Unsent, useFactory: () => new Unsent() },
    { provide: EventStreams, useFactory: (unsent: Unsent) => new EventStreams(undefined, unsent), inject: [Unsent] },
  ],
  exports: [Unsent, EventStreams],
})
export class EventStreamModule {}
