import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import { listening } from '../support/linux.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { TraceSink } from '../support/sinks/trace-sink.js';
import type { ReceivedSpan } from '../support/sinks/trace-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const PEOPLE = 2;
const TRIGGERS = 24;
const PATIENCE_MS = 30_000;
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const CLIENT = 3;
const CONSUMER = 5;
const ERROR = 2;

let database: TestDatabase;
let sink: HttpSink;
let traces: TraceSink;
let crowd: { key: string; trigger: string };
const services: Service[] = [];

beforeAll(async () => {
  database = await createDatabase();
  sink = await HttpSink.start();
  crowd = await createCrowd(database.url, sink.url('/secret-path'), PEOPLE);
});

beforeEach(async () => void (traces = await TraceSink.start()));

afterEach(async () => {
  await stop();
  await traces.close();
  sink.requests.length = 0;
  sink.reply = () => ({ status: 200 });
});

afterAll(async () => {
  await sink.close();
  await database.drop();
});

const stop = () => Promise.all(services.splice(0).map((service) => service.stop()));

async function start(env: Record<string, string> = {}): Promise<Service> {
  const base = { DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8', OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
  const service = await Service.start({ ...base, ...env });
  services.push(service);
  return service;
}

async function trigger({ url }: Service, headers: Record<string, string> = {}): Promise<string> {
  const json = { authorization: `Key ${crowd.key}`, 'content-type': 'application/json', ...headers };
  const body = JSON.stringify({ context: { card: '4111-1111' } });
  const answer = await fetch(url + crowd.trigger, { method: 'POST', headers: json, body });
  return ((await answer.json()) as { occurrence: string }).occurrence;
}

/** They have arrived, and the worker has written so: stopped before that, it would end its spans in another way. */
async function delivered(count = PEOPLE): Promise<void> {
  await until(PATIENCE_MS, () => sink.requests.length >= count);
  const atWork = `select from jobs where state = 'running'`;
  await withClient(database.url, (client) =>
    until(PATIENCE_MS, async () => (await client.query(atWork)).rowCount === 0),
  );
}

const named = (name: string): ReceivedSpan[] => traces.spans.filter((span) => span.name === name);

it('follows occurrences from the trigger to the provider, through an api and a worker, in one trace each, as the sampler says', async () => {
  const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
  const api = await start({ ROLE: 'api', ...sampler });
  await start({ ROLE: 'worker', OTEL_SERVICE_NAME: 'bells', ...sampler });
  const occurrences: string[] = [];
  for (let i = 0; i < TRIGGERS; i++)
    occurrences.push(await trigger(api, { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` }));
  await delivered(TRIGGERS * PEOPLE);
  await stop(); // what was not sent yet is sent now

  // A whole trace or nothing of it, in both processes alike.
  const traceIds = named('trigger').map(({ traceId }) => traceId);
  const isSampled = (id: string) => traceIds.includes(id.replaceAll('-', ''));
  const sampled = occurrences.filter(isSampled);
  expect(traceIds).toHaveLength(sampled.length);
  for (const name of ['expand', 'deliver'])
    expect(
      named(name)
        .map(({ traceId }) => traceId)
        .sort(),
    ).toEqual(traceIds.toSorted());
  expect(sampled.length).toBeGreaterThan(0);
  expect(sampled.length).toBeLessThan(TRIGGERS);
  expect(traces.spans).toHaveLength(sampled.length * (3 + PEOPLE));
  expect(new Set(traces.spans.map(({ spanId }) => spanId)).size).toBe(traces.spans.length);

  const occurrence = sampled[0]!;
  const ofOccurrence = (name: string) =>
    named(name).filter(({ traceId }) => traceId === occurrence.replaceAll('-', ''));
  const [first] = ofOccurrence('trigger');
  const [expand] = ofOccurrence('expand');
  const [deliver] = ofOccurrence('deliver');
  const calls = ofOccurrence('send webhook');
  expect(calls).toHaveLength(PEOPLE);

  expect([first!.parentSpanId, expand!.parentSpanId, deliver!.parentSpanId]).toEqual([
    undefined,
    first!.spanId,
    first!.spanId,
  ]);
  expect(calls.map(({ parentSpanId, kind }) => [parentSpanId, kind])).toEqual(
    calls.map(() => [deliver!.spanId, CLIENT]),
  );
  expect(first!.links).toEqual([expect.objectContaining(CALLER)]);
  expect(first!.resource).toMatchObject({ 'service.name': 'carillon', 'carillon.role': 'api' });
  const instances = [first!, deliver!].map(({ resource }) => resource['service.instance.id']);
  expect(instances).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(instances[0]).not.toBe(instances[1]);
  expect(deliver!.resource).toMatchObject({ 'service.name': 'bells', 'carillon.role': 'worker' });

  const about = { 'carillon.organization': 'crowd', 'carillon.occurrence.id': occurrence };
  const request = {
    'http.request.method': 'POST',
    'http.route': '/api/o/:org/p/:prj/a/:app/e/:evt/trigger',
    'http.response.status_code': 201,
  };
  const work = (name: string) => ({
    'messaging.system': 'carillon',
    'messaging.operation.name': name,
    'messaging.operation.type': 'process',
  });
  expect(first!.attributes).toEqual({ ...about, ...request, 'carillon.event': 'e' });
  expect(expand!.attributes).toEqual({ ...work('expand'), 'carillon.occurrence.id': occurrence });
  expect(deliver!.attributes).toEqual({ ...work('deliver'), ...about, 'carillon.channel.type': 'webhook' });
  expect([expand!.kind, deliver!.kind]).toEqual([CONSUMER, CONSUMER]);
  expect(calls.map(({ attributes }) => attributes)).toEqual(
    calls.map(() => ({
      'carillon.channel.type': 'webhook',
      'carillon.delivery.id': expect.stringMatching(/^\d+$/),
      'carillon.outcome': 'sent',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'messaging.system': 'carillon',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.message.id': expect.stringMatching(/^\d+$/),
    })),
  );
  const everything = traces.http.requests.map(({ body }) => body).join();
  for (const secret of ['crowd.test', '4111-1111', 'secret-path', crowd.key]) expect(everything).not.toContain(secret);
});

it('marks a call that a provider refused, makes no second trace of a repeated trigger, and one of its own for a replay', async () => {
  const service = await start();
  sink.reply = () => ({ status: 410 });
  const occurrence = await trigger(service, { 'idempotency-key': 'once' });
  expect(await trigger(service, { 'idempotency-key': 'once' })).toBe(occurrence);
  await delivered();
  sink.reply = () => ({ status: 200 });
  const path = `/api/o/crowd/occurrences/${occurrence}/replay/`;
  const answer = await fetch(service.url + path, { method: 'POST', headers: { authorization: `Key ${crowd.key}` } });
  const replayed = ((await answer.json()) as { occurrence: string }).occurrence;
  await delivered(2 * PEOPLE);
  await stop();

  const [first, replay, ...others] = named('trigger');
  expect(others).toEqual([]);
  const calls = named('send webhook').filter(({ traceId }) => traceId === first!.traceId);
  expect(
    calls.map(({ status, attributes }) => [status.code, attributes['carillon.outcome'], attributes['error.type']]),
  ).toEqual(Array.from({ length: PEOPLE }, () => [ERROR, 'rejected', '410']));
  expect(replay!.traceId).toBe(replayed.replaceAll('-', ''));
  expect(replay!.links).toEqual([expect.objectContaining({ traceId: occurrence.replaceAll('-', '') })]);
  expect(named('expand').map(({ parentSpanId }) => parentSpanId)).toContain(replay!.spanId);
});

it('sends and stops as ever, although the collector is away, and loads nothing of it unless it is asked to', async () => {
  const folder = createFolder();
  const file = join(folder.path, 'loaded.json');
  const preload = `--import=${pathToFileURL(join(root, 'test', 'support', 'app', 'loaded-scripts.mjs')).href}`;
  const loaded = async (endpoint: string, look: (service: Service) => unknown = () => undefined) => {
    const env = { NODE_OPTIONS: preload, LOADED_SCRIPTS: file, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const service = await start(env);
    const before = sink.requests.length;
    await trigger(service);
    await delivered(before + PEOPLE);
    await look(service);
    expect(await service.stop()).toBe(0);
    // The parts of the build that hold the libraries for traces and metrics.
    const urls = JSON.parse(readFileSync(file, 'utf8')) as string[];
    return urls.flatMap((url) => /\/dist\/parts\/(traces|prom-client)-[^/]*$/.exec(url)?.[1] ?? []);
  };
  expect(await loaded('http://127.0.0.1:1')).toContain('traces');
  const isQuiet = async ({ url, pid }: Service) => {
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    if (process.platform === 'linux') expect(listening(pid)).toBe(1); // only the API: nobody has asked for metrics either
  };
  expect(await loaded('', isQuiet)).toEqual([]);
  folder.remove();
});
