import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { TestApp } from '../support/app/app.js';
import { until } from '../support/until.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
});
beforeEach(async () => {
  key = await app.key({ org: 'acme' });
});
afterAll(() => app.stop());

const PATH = '/api/o/acme/p/shop/a/web/e/order-paid/trigger/';
const BODY = '{"context":{"order":1}}';

/** Sends the start of a trigger; the body is `sent` of as many bytes as it says it has. */
async function begin(sent: string) {
  const { port } = app.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = ['Host: x', `Authorization: Key ${key}`, 'Content-Type: application/json'];
  socket.write([`POST ${PATH} HTTP/1.1`, ...head, `Content-Length: ${BODY.length}`, '', ''].join('\r\n') + sent);
  return socket;
}

const isLookedUp = async () => {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await app.pool.query(sql)).rowCount === 1;
};

const isGone = () =>
  new Promise<boolean>((resolve) => {
    app.app.getHttpServer().getConnections((_: unknown, connections: number) => resolve(connections === 0));
  });

const stored = async () => (await app.pool.query('select from occurrences')).rowCount;

it('a trigger whose client leaves in the middle of the body stores nothing', async () => {
  const socket = await begin(BODY.slice(0, 5));
  await until(5000, async () => !(await isGone())); // it has arrived
  socket.destroy();
  await until(5000, isGone);
  expect(await stored()).toBe(0);
});

it.each([
  ['nothing', ''],
  ['a part', BODY.slice(0, 5)],
])(
  'a trigger whose client leaves while its key is looked up, having sent %s of the body, stores nothing',
  async (_, sent) => {
    const sql = new Client({ connectionString: app.databaseUrl });
    await sql.connect();
    await sql.query('begin; lock table api_keys in access exclusive mode');
    const socket = await begin(sent);
    try {
      await until(5000, isLookedUp);
    } finally {
      socket.destroy();
      await until(5000, isGone);
      await sql.end();
    }
    // One that comes after it has been answered.
    expect((await app.as(key).get('/api/system/ping/')).status).toBe(200);
    expect(
      (
        await app
          .as(key)
          .post('/api/o/acme/u/')
          .send({ email: `${sent.length}@acme.test` })
      ).status,
    ).toBe(201);
    expect(await stored()).toBe(0);
  },
);
