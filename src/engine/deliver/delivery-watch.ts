import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { FailureLog, LogContext } from '../../platform/telemetry/failure-log.js';
import type { DeliveryOutcome, Metrics } from '../../platform/telemetry/metrics.js';
import type { TraceSpan } from '../../platform/telemetry/traces.js';
import type { Result } from '../outcome/result.js';

/** Measures and traces the deliveries of a chunk, and logs those that are dead. */
export class DeliveryWatch {
  constructor(
    private readonly channelType: string,
    readonly place: LogContext,
    private readonly failures: FailureLog,
    private readonly metrics: Metrics | null,
    private readonly span: TraceSpan | undefined,
  ) {}

  /** One call to a provider. Without metrics and traces it adds no cost. */
  attempt(delivery: string, send: () => Promise<Outcome>): Promise<Outcome> {
    return this.metrics || this.span ? this.watched(delivery, send) : send();
  }

  private async watched(delivery: string, send: () => Promise<Outcome>): Promise<Outcome> {
    const { channelType, metrics, span } = this;
    const attributes = {
      'carillon.channel.type': channelType,
      'carillon.delivery.id': delivery,
      'messaging.message.id': delivery,
    };
    const call = span?.call(`send ${channelType}`, attributes);
    const start = performance.now();
    const outcome = await send();
    metrics?.attempted(channelType, outcome.kind, (performance.now() - start) / 1000);
    call?.add({ 'carillon.outcome': outcome.kind, ...answerOf(channelType, outcome) });
    if (outcome.kind !== 'sent') call?.failed();
    call?.end();
    return outcome;
  }

  /** `dueAt`: when the event was triggered, or its `send_at`. */
  finished(result: Result, dueAt?: Date): void {
    const { channelType, metrics } = this;
    if (result.status === 'dead') this.failures.dead(this.place, result.id, result.reason);
    if (!metrics) return;
    metrics.delivered(channelType, outcomeOf(result));
    if (result.status === 'sent' && dueAt) metrics.sent(channelType, Math.max(Date.now() - dueAt.getTime(), 0) / 1000);
  }

  skipped(count: number): void {
    this.metrics?.delivered(this.channelType, 'skipped', count);
  }
}

/** The answer by OpenTelemetry's HTTP conventions. Without its host: no span names where a customer's messages go. */
function answerOf(channelType: string, { kind, answer }: Outcome): Record<string, string | number> {
  const status = /^\d{3}\b/.exec(answer)?.[0];
  const isHttp = status !== undefined && channelType !== 'email';
  return {
    ...(isHttp ? { 'http.request.method': 'POST', 'http.response.status_code': Number(status) } : {}),
    ...(kind === 'sent' ? {} : { 'error.type': status ?? kind }),
  };
}

function outcomeOf({ status, attempt }: Result): DeliveryOutcome {
  if (status === 'pending') return 'retry';
  return status === 'dead' && attempt?.outcome === 'rejected' ? 'rejected' : status;
}
