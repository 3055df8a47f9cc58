import { Global, Module } from '@nestjs/common';
import { ResponseBuffers } from '../limit/response-buffers.js';
import { EventStreams } from './event-stream.js';

@Global()
@Module({
  providers: [
    { provide: ResponseBuffers, useFactory: () => new ResponseBuffers() },
    {
      provide: EventStreams,
      useFactory: (unsent: ResponseBuffers) => new EventStreams(undefined, unsent),
      inject: [ResponseBuffers],
    },
  ],
  exports: [ResponseBuffers, EventStreams],
})
export class EventStreamModule {}
