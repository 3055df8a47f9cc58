import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { createDemo } from '../../../src/operate/provisioning/demo.js';
import { until } from '../until.js';
import { ACME_AND_GLOBEX } from '../world/acme.js';
import { TestApp } from './app.js';

/** One app for all tests of a file, with a database of its own. `given` gets it once it runs, to keep it and to fill it. */
export function useApp(env: Record<string, string>, given: (app: TestApp) => unknown): void {
  let app: TestApp | undefined;
  beforeAll(async () => {
    app = await TestApp.start(env);
    await given(app);
  });
  afterAll(() => app?.stop());
}

export interface Tenant {
  app: TestApp;
  /** Of the organization, with all permissions. */
  key: string;
}

/** One app for all tests of a file, in which Acme and Globex are. */
export function useAcme(given: (acme: Tenant) => unknown): void {
  useApp({}, async (app) => {
    await app.apply(ACME_AND_GLOBEX);
    await given({ app, key: await app.key({ org: 'acme' }) });
  });
}

/** One app for all tests of a file, with the demo as a new user finds it: its occurrence is sent. */
export function useDemo(given: (demo: Tenant) => unknown, env: Record<string, string> = {}): void {
  useApp({ ROLE: 'all', OUTBOUND_ALLOW: '', ...env }, async (app) => {
    const key = await createDemo(app.app);
    const settled = `select 1 from deliveries having count(*) filter (where status <> 'pending') = 2`;
    await until(20_000, async () => (await app.pool.query(settled)).rowCount === 1);
    await given({ app, key: key! });
  });
}

interface Sink {
  close(): Promise<unknown>;
}

/** A new sink for each test of a file. */
export function useSink<S extends Sink>(start: () => Promise<S>, given: (sink: S) => unknown): void {
  let sink: S | undefined;
  beforeEach(async () => {
    sink = await start();
    await given(sink);
  });
  afterEach(() => sink?.close());
}
