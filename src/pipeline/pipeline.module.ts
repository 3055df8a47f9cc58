import { Inject, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE_URL } from '../prisma/database.js';
import { Task } from '../queue/task.js';
import { Worker } from '../queue/worker.js';
import { Deliver } from './deliver.js';
import { Expand } from './expand.js';
import { Purge } from './purge.js';

/** Jobs that run at once in one worker process. */
const CONCURRENCY = 6;

@Injectable()
class PipelineWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: Worker;

  constructor(@Inject(DATABASE_URL) databaseUrl: string, expand: Expand, deliver: Deliver) {
    this.worker = new Worker(databaseUrl, CONCURRENCY, {
      [Task.Expand]: (payload, stopping) => expand.run(payload, stopping),
      [Task.Deliver]: (payload, stopping) => deliver.run(payload, stopping),
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

/** What a worker process runs, beside the API or without it. */
@Module({ providers: [Expand, Deliver, Purge, PipelineWorker] })
export class PipelineModule {}
