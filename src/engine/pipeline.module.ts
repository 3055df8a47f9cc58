import { Inject, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { AuditSealing } from '../platform/audit/audit-sealing.js';
import { DATABASE_URL } from '../platform/database/database.js';
import { Task } from '../platform/queue/task.js';
import type { DeliverPayload, ExpandOnePayload, StepPayload } from '../platform/queue/task.js';
import { Worker } from '../platform/queue/worker.js';
import { Alerts } from './alert/alerts.js';
import { SendAlert } from './alert/send-alert.js';
import { Report } from './report/report.js';
import { ProviderReports } from './provider-report/provider-reports.js';
import { CloseDigests } from './digest/close-digests.js';
import { DeliverChunk } from './deliver/deliver-chunk.js';
import { SendFresh } from './deliver/send-fresh.js';
import { SendPool } from './deliver/send-pool.js';
import { Erase } from './erase/erase.js';
import { CountFigures } from './figure/count-figures.js';
import { ReturnSnoozed } from './inbox/return-snoozed.js';
import { BatchLoader } from './expand/batch-loader.js';
import { ClosedDigests } from './expand/closed-digests.js';
import { ExpandSmall } from './expand/expand-small.js';
import { ExpandLarge } from './expand/expand-large.js';
import { DeliveryIndex } from './purge/delivery-index.js';
import { Purge } from './purge/purge.js';
import { ExpirePaused } from './steer/expire-paused.js';
import { Resume } from './steer/resume.js';
import { Steer } from './steer/steer.js';
import { TestSender } from './test-message/test-sender.js';
import { TakeSteps } from './step/take-steps.js';

@Injectable()
class PipelineWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: Worker;

  constructor(
    @Inject(DATABASE_URL) databaseUrl: string,
    batch: ExpandSmall,
    expandOne: ExpandLarge,
    deliver: DeliverChunk,
    steer: Steer,
    steps: TakeSteps,
    report: Report,
    providerReports: ProviderReports,
    erase: Erase,
  ) {
    this.worker = new Worker(databaseUrl, {
      expand: (jobs, context) => batch.run(jobs, context),
      one: {
        [Task.ExpandOne]: (payload, stopping) => expandOne.run(payload, stopping),
        [Task.Deliver]: (payload, stopping) => deliver.run(payload, stopping),
        [Task.Step]: (payload, stopping) => steps.run(payload, stopping),
        [Task.Skip]: (payload) => steer.skip(payload),
        [Task.Cancel]: (payload, stopping) => steer.cancel(payload, stopping),
        [Task.Retry]: (payload, stopping) => steer.retry(payload, stopping),
        [Task.Report]: (payload) => report.run(payload),
        [Task.ApplyReports]: (payload) => providerReports.retry(payload),
        [Task.Erase]: (payload, stopping) => erase.run(payload, stopping),
      },
      giveUp: async ({ task, payload }) => {
        if (task === Task.ExpandOne) await expandOne.giveUp(payload as ExpandOnePayload);
        if (task === Task.Deliver) await deliver.giveUp(payload as DeliverPayload);
        if (task === Task.Step) await steps.end(payload as StepPayload);
      },
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

/** Everything that a worker process runs, with or without the API. */
@Module({
  providers: [
    BatchLoader,
    ClosedDigests,
    ExpandSmall,
    ExpandLarge,
    DeliverChunk,
    SendFresh,
    SendPool,
    Resume,
    ExpirePaused,
    CloseDigests,
    ReturnSnoozed,
    Steer,
    TakeSteps,
    Report,
    ProviderReports,
    Erase,
    Purge,
    DeliveryIndex,
    CountFigures,
    AuditSealing,
    Alerts,
    SendAlert,
    TestSender,
    PipelineWorker,
  ],
})
export class PipelineModule {}
