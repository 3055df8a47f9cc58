import type { Scope } from '../../auth/scope.js';
import { Problem } from '../../platform/http/problem.js';
import type { Telemetry } from '../../platform/telemetry/telemetry.js';
import type { Triggered } from './trigger.service.js';

const ROUTE = '/api/o/:org/p/:prj/a/:app/e/:evt/trigger';

/** Counts a trigger and starts the trace of its occurrence. Without metrics and traces it adds no cost. */
export function watchTrigger(
  watch: Telemetry,
  scope: Scope,
  traceparent: string | undefined,
  trigger: () => Promise<Triggered>,
): Promise<Triggered> {
  return watch.metrics || watch.traces ? watched(watch, scope, traceparent, trigger) : trigger();
}

async function watched(
  { metrics, traces }: Telemetry,
  { path: { org = '', evt = '' } }: Scope,
  traceparent: string | undefined,
  trigger: () => Promise<Triggered>,
): Promise<Triggered> {
  const startedAt = Date.now();
  try {
    const triggered = await trigger();
    const { occurrence, replayed } = triggered;
    metrics?.triggered(replayed ? 'replayed' : 'created');
    const attributes = {
      'carillon.organization': org,
      'carillon.event': evt,
      'carillon.occurrence.id': occurrence,
      'http.request.method': 'POST',
      'http.route': ROUTE,
      'http.response.status_code': 201,
    };
    if (!replayed) traces?.triggered({ occurrence, startedAt, attributes, traceparent });
    return triggered;
  } catch (error) {
    metrics?.triggered(error instanceof Problem && error.status < 500 ? 'refused' : 'failed');
    throw error;
  }
}
