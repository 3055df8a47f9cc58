import { Injectable, Logger } from '@nestjs/common';
import { answerOf } from '../../dispatcher/answer/answer.js';
import type { Outcome } from '../../dispatcher/dispatcher.js';
import { Outbound } from '../../dispatcher/outbound/outbound.js';
import { secretsInUrl } from '../../dispatcher/outbound/secrets-in-url.js';
import { postSigned } from '../../dispatcher/webhook/post-signed.js';
import { nextAttemptAt } from '../outcome/retry.js';
import { Database } from '../../platform/database/database.js';
import type { ReportPayload, Remainder } from '../../platform/queue/task.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { LOAD_ACKNOWLEDGEMENT_REPORT, LOAD_REPORT } from './report.sql.js';
import { statusSecretContext } from './status-webhook.js';

interface ReportRow {
  url: string;
  /** Encrypted. */
  secret: string;
  organizationId: number;
  organization: string;
  project: string;
  application: string;
  /** As the receiver gets them. */
  deliveries?: object[];
  /** Instead of deliveries. */
  acknowledgement?: object;
}

/** Reports the outcomes of some deliveries, or an acknowledgement, to the status webhook of their application. */
@Injectable()
export class Report {
  private readonly logger = new Logger('Report');

  constructor(
    private readonly database: Database,
    private readonly outbound: Outbound,
    private readonly secrets: SecretBox,
    private readonly telemetry: Telemetry,
  ) {}

  async run(payload: ReportPayload): Promise<Remainder<ReportPayload> | undefined> {
    const report = await this.load(payload);
    if (!report) return undefined; // nobody wants this report any more
    const outcome = await this.post(payload, report);
    const now = new Date();
    const again = outcome.kind === 'retry' ? againAt(payload, now, outcome.afterSeconds) : null;
    this.telemetry.metrics?.reported(outcome.kind === 'sent' ? 'sent' : again ? 'retry' : 'dropped');
    if (outcome.kind === 'sent') return undefined;
    if (again) return { waitMs: again.getTime() - now.getTime(), payload: { ...payload, tries: payload.tries + 1 } };
    const { organization, project, application, deliveries, url } = report;
    this.logger.warn({
      message: 'gave up on a status webhook report',
      application: [organization, project, application].join('/'),
      deliveries: deliveries?.length ?? 0,
      tries: payload.tries + 1,
      answer: answerOf(outcome.answer, secretsInUrl(url)),
    });
    return undefined;
  }

  private async load({ application, deliveries, acknowledgement, at }: ReportPayload): Promise<ReportRow | undefined> {
    if (acknowledgement !== undefined) {
      const values = [application, acknowledgement];
      const sql = LOAD_ACKNOWLEDGEMENT_REPORT;
      return (await this.database.query<ReportRow>('load-acknowledgement-report', sql, values)).rows[0];
    }
    const { rows } = await this.database.query<ReportRow>('load-report', LOAD_REPORT, [
      application,
      JSON.stringify(deliveries),
      at,
    ]);
    return rows[0];
  }

  private async post({ id, application, at }: ReportPayload, report: ReportRow): Promise<Outcome> {
    const place = statusSecretContext(report.organizationId, application);
    let secret: string;
    try {
      secret = this.secrets.open(report.secret, place);
    } catch (error) {
      return { kind: 'retry', answer: `the secret could not be decrypted: ${(error as Error).message}` };
    }
    const body = bodyOf(report, new Date(at));
    return postSigned(this.outbound, report.url, {
      id,
      body,
      secrets: [secret],
      now: new Date(),
      organization: report.organization,
    });
  }
}

/** When to retry, on the schedule of deliveries; null when no attempt is left. */
const againAt = ({ tries }: ReportPayload, now: Date, afterSeconds?: number) =>
  nextAttemptAt(tries + 1, now, Math.random(), afterSeconds);

function bodyOf(report: ReportRow, at: Date): string {
  const { organization, project, application, deliveries, acknowledgement } = report;
  const type = acknowledgement ? 'occurrence.acknowledged' : 'delivery.status';
  // JSON has only the one that is there.
  const data = { organization, project, application, deliveries, acknowledgement };
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
