import { Inject, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE_URL } from '../prisma/database.js';
import { Task } from '../queue/task.js';
import type { DeliverPayload, ExpandPayload } from '../queue/task.js';
import { Worker } from '../queue/worker.js';
import { Report } from '../status-webhook/report.js';
import { Deliver } from './deliver/deliver.js';
import { Expand } from './expand/expand.js';
import { Purge } from './purge/purge.js';
import { Pause } from './steer/pause.js';
import { Steer } from './steer/steer.js';

@Injectable()
class PipelineWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: Worker;

  constructor(
    @Inject(DATABASE_URL) databaseUrl: string,
    expand: Expand,
    deliver: Deliver,
    steer: Steer,
    report: Report,
  ) {
    this.worker = new Worker(
      databaseUrl,
      {
        [Task.Expand]: (payload, stopping, slots) => expand.run(payload, stopping, slots),
        [Task.Deliver]: (payload, stopping) => deliver.run(payload, stopping),
        [Task.Cancel]: (payload, stopping) => steer.cancel(payload, stopping),
        [Task.Retry]: (payload, stopping) => steer.retry(payload, stopping),
        [Task.Report]: (payload) => report.run(payload),
      },
      async (task, payload) => {
        if (task === Task.Expand) await expand.giveUp(payload as ExpandPayload);
        if (task === Task.Deliver) await deliver.giveUp(payload as DeliverPayload);
      },
    );
  }

  onApplicationBootstrap(): Promise<void> {
    return this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

/** Everything that a worker process runs, with or without the API. */
@Module({ providers: [Expand, Deliver, Pause, Steer, Report, Purge, PipelineWorker] })
export class PipelineModule {}
