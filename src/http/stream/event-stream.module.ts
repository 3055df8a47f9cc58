import { Global, Module } from '@nestjs/common';
import { EventStreams } from './event-stream.js';

@Global()
@Module({ providers: [{ provide: EventStreams, useFactory: () => new EventStreams() }], exports: [EventStreams] })
export class EventStreamModule {}
