import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { version } from '../../src/platform/config/version.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { itOnLinux, listening } from '../support/linux.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { metricsIn } from '../support/sinks/promql.js';
import { Scrape } from '../support/sinks/scrape.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const PEOPLE = 3;
const PATIENCE_MS = 30_000;
const ROUTE = '/api/o/:org/p/:prj/a/:app/e/:evt/trigger';

let database: TestDatabase;
let sink: HttpSink;
let crowd: { key: string; trigger: string };
let services: Service[] = [];

beforeAll(async () => {
  database = await createDatabase();
  sink = await HttpSink.start();
  crowd = await createCrowd(database.url, sink.url('/in'), PEOPLE);
});

afterEach(() => {
  sink.reply = () => ({ status: 200 });
  sink.requests.length = 0;
});

afterAll(async () => {
  await sink.close();
  await database.drop();
});

/** A service or two for the tests of a `describe`: a start costs more than most of what is looked at. */
function stopAfterAll(): void {
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    services = [];
  });
}

async function start(env: Record<string, string> = {}): Promise<Service> {
  const base = { DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8', METRICS_PORT: '0' };
  const service = await Service.start({ ...base, ...env });
  services.push(service);
  return service;
}

const metricsOf = ({ output }: Service) => /"message":"metrics","url":"([^"]+)"/.exec(output)![1]!;
const scrape = (service: Service) => Scrape.of(metricsOf(service));

async function trigger({ url }: Service, body: object = {}, headers: Record<string, string> = {}): Promise<number> {
  const authorization = `Key ${crowd.key}`;
  const json = { authorization, 'content-type': 'application/json', connection: 'close', ...headers };
  const answer = await fetch(url + crowd.trigger, { method: 'POST', headers: json, body: JSON.stringify(body) });
  return answer.status;
}

/** Scrapes until the metric has reached the number. */
const reached = (service: Service, count: number, name: string, labels: Record<string, string> = {}) =>
  until(PATIENCE_MS, async () => {
    const found = await scrape(service);
    return (found.value(name, labels) ?? 0) >= count && found;
  });

const sent = { channel_type: 'webhook', outcome: 'sent' };

describe('the service', () => {
  let service: Service;
  beforeAll(async () => void (service = await start({ DATABASE_POOL_MAX: '7' })));
  stopAfterAll();

  it('counts triggers and deliveries by what became of them, and times both', async () => {
    expect(await trigger(service, {}, { 'idempotency-key': 'one' })).toBe(201);
    expect(await trigger(service, {}, { 'idempotency-key': 'one' })).toBe(201);
    expect(await trigger(service, { options: { send_at: 'soon' } })).toBe(400);
    const found = await reached(service, PEOPLE, 'carillon_deliveries_total', sent);
    const triggers = (outcome: string) => found.value('carillon_triggers_total', { outcome });
    expect(['created', 'replayed', 'refused', 'failed'].map(triggers)).toEqual([1, 1, 1, 0]);
    expect(found.value('carillon_deliveries_total')).toBe(PEOPLE);
    expect(found.value('carillon_attempt_duration_seconds_count', sent)).toBe(PEOPLE);
    expect(found.value('carillon_attempt_duration_seconds_bucket', { ...sent, le: '+Inf' })).toBe(PEOPLE);
    expect(found.value('carillon_trigger_to_sent_seconds_count', { channel_type: 'webhook' })).toBe(PEOPLE);
    expect(found.value('carillon_trigger_to_sent_seconds_sum')).toBeGreaterThan(0);
    // Seconds: as milliseconds it would be more than all that has passed.
    const passed = performance.now() / 1000;
    expect(found.value('carillon_trigger_to_sent_seconds_sum')).toBeLessThan(PEOPLE * passed);
    const requests = (status: string) =>
      found.value('carillon_http_request_duration_seconds_count', { method: 'POST', route: ROUTE, status });
    expect([requests('2xx'), requests('4xx')]).toEqual([2, 1]);
  });

  it('names no tenant, however many there are', async () => {
    await trigger(service);
    await fetch(`${service.url}/api/o/stranger/u/`);
    await fetch(`${service.url}/wp-login.php`);
    const { text } = await reached(service, 2 * PEOPLE, 'carillon_deliveries_total', sent);
    for (const name of ['crowd', '"hook"', 'stranger', 'wp-login']) expect(text).not.toContain(name);
  });

  it('shows the connections to the database and the process itself, and explains every figure', async () => {
    const found = await scrape(service);
    expect(found.value('carillon_database_connections')).toBeGreaterThan(0);
    expect(found.value('carillon_database_connections_idle')).toBeGreaterThan(0);
    expect(found.value('carillon_database_connections_max')).toBe(7);
    expect(found.value('carillon_database_waiting')).toBe(0);
    expect(found.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(found.value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(found.value('process_start_time_seconds')).toBeGreaterThan(1e9);
    expect(found.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(found.value('carillon_build_info', { version, node_version: process.versions.node })).toBe(1);
    expect(found.value('carillon_channels_resting')).toBe(0);
    expect(found.value('carillon_status_webhook_reports_total', { outcome: 'sent' })).toBe(0);
    expect(Object.entries(found.helps).filter(([, help]) => help.length < 10)).toEqual([]);
  });

  it('shows channels that rest, and what became of the reports to status webhooks', async () => {
    // A secret that cannot be decrypted: the report is tried again.
    await withClient(database.url, async (client) => {
      await client.query(
        `insert into status_webhooks (application_id, organization_id, url, secret, outcomes, enabled)
           select id, organization_id, 'http://127.0.0.1:9/', 'v1.none', '{sent}', true from applications`,
      );
      await trigger(service);
      await reached(service, 1, 'carillon_status_webhook_reports_total', { outcome: 'retry' });
      await client.query(`delete from status_webhooks`);
      await client.query(
        `insert into channel_states (channel_id, failures, failing_since, probe_at)
           select id, 10, now(), now() + interval '1 hour' from channels`,
      );
      await reached(service, 1, 'carillon_channels_resting');
      await client.query(`delete from channel_states`);
    });
  });

  it('tells rejected from retried messages', async () => {
    const before = await scrape(service);
    const statuses = [410, 503, 200];
    sink.reply = () => ({ status: statuses.shift() ?? 200 });
    await trigger(service);
    const found = await reached(
      service,
      before.value('carillon_deliveries_total')! + PEOPLE,
      'carillon_deliveries_total',
    );
    const outcomes = (name: string) =>
      ['sent', 'rejected', 'retry', 'dead'].map((outcome) => {
        const value = found.value(name, { outcome });
        return value && value - (before.value(name, { outcome }) ?? 0);
      });
    expect(outcomes('carillon_deliveries_total')).toEqual([1, 1, 1, undefined]);
    expect(outcomes('carillon_attempt_duration_seconds_count')).toEqual([1, 1, 1, undefined]);
  });

  it('has a dashboard that asks for everything that is there, and for nothing else', async () => {
    await reached(service, 1, 'carillon_deliveries_total', sent);
    // Shown once there was one.
    const { names } = await until(PATIENCE_MS, async () => {
      await trigger(service);
      const found = await scrape(service);
      return found.names.has('nodejs_gc_duration_seconds_sum') && found;
    });
    const asked = new Set(dashboardQueries().flatMap(metricsIn));
    expect([...asked].filter((name) => !names.has(name))).toEqual([]);
    const ours = [...names].filter((name) => /^carillon_/.test(name) && !/_(sum|count)$/.test(name));
    expect(ours.filter((name) => !asked.has(name))).toEqual([]);
  });

  itOnLinux('serves on a port of its own, never on the port of the API', async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    expect(listening(service.pid)).toBe(2); // test/operate/traces.spec.ts: without a port for metrics, one
    expect(new URL(metricsOf(service)).hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/', metricsOf(service)))).status).toBe(404);
  });
});

describe('an API process and a worker', () => {
  stopAfterAll();

  it('shows how much waits in the queue and for how long, also where no worker runs', async () => {
    const api = await start({ ROLE: 'api' });
    await trigger(api);
    const waiting = await reached(api, 1, 'carillon_queue_ready_jobs', { task: 'expand' });
    const age = waiting.value('carillon_queue_oldest_ready_job_seconds', { task: 'expand' });
    expect(age).toBeGreaterThan(0);
    // Seconds: as milliseconds it would be more than all that has passed.
    expect(age).toBeLessThan(performance.now() / 1000);
    const worker = await start({ ROLE: 'worker' });
    await reached(worker, PEOPLE, 'carillon_deliveries_total', sent);
    const empty = await until(PATIENCE_MS, async () => {
      const found = await scrape(api);
      return found.value('carillon_queue_ready_jobs', { task: 'expand' }) === 0 && found;
    });
    expect(empty.value('carillon_queue_oldest_ready_job_seconds', { task: 'expand' })).toBe(0);
    expect(empty.value('carillon_deliveries_total')).toBeUndefined();
    expect((await scrape(worker)).value('carillon_triggers_total')).toBe(0);
  });
});

describe('a service of two processes', () => {
  let service: Service;
  beforeAll(async () => void (service = await start({ PROCESSES: '2' })));
  stopAfterAll();

  it('shows each of several processes by itself, on one port', async () => {
    for (let i = 0; i < 6; i++) expect(await trigger(service)).toBe(201);
    const found = await reached(service, 6 * PEOPLE, 'carillon_deliveries_total', sent);
    const triggers = (process: string) => found.value('carillon_triggers_total', { process, outcome: 'created' })!;
    expect([triggers('1'), triggers('2')]).toEqual([3, 3]);
    for (const process of ['1', '2'])
      expect(found.value('process_resident_memory_bytes', { process })).toBeGreaterThan(1e6);
    const both = await Promise.all([scrape(service), scrape(service)]);
    expect(both.map((each) => each.value('carillon_triggers_total', { outcome: 'created' }))).toEqual([6, 6]);
  });

  itOnLinux(
    'goes on without the figures of a process that was killed, and counts those of its successor from the start',
    async () => {
      const pids = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8')
        .trim()
        .split(' ')
        .map(Number);
      const first = (await scrape(service)).value('process_start_time_seconds', { process: '1' });
      process.kill(pids[0]!, 'SIGKILL');
      const next = await until(PATIENCE_MS, async () => {
        const found = await scrape(service);
        const started = found.value('process_start_time_seconds', { process: '1' });
        return started !== undefined && started !== first && found;
      });
      expect(next.value('process_start_time_seconds', { process: '2' })).toBeGreaterThan(0);
      expect(await service.stop()).toBe(0);
    },
  );
});

it('says once why it cannot start: the port of metrics is taken', async () => {
  const port = String(sink.port);
  const env = { DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'error', METRICS_PORT: port };
  const { code, stdout, stderr } = await Service.try(['start'], env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^carillon: listen EADDRINUSE: [^\n]* such as METRICS_PORT=\d+\n$/);
});

/** As Prometheus is asked them: Grafana fills in its variables. */
function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(join(root, 'ops', 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
}
