import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Cells } from '../../src/cell/directory/cells.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import type { TestApp } from '../support/app/app.js';
import { TestCells, startCell } from '../support/app/cells.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { CuttableProxy } from '../support/sinks/cuttable-proxy.js';
import { settleAcmeAndGlobex, triggerOf } from './world.js';

// The directory has a database of its own, behind a proxy that can be cut.
let directory: TestDatabase;
let proxy: CuttableProxy;
let cells: TestCells;
let first: TestApp;
let second: TestApp;
let keys: { acme: string; globex: string };
let directoryUrl: string;

beforeAll(async () => {
  directory = await createDatabase();
  const url = new URL(directory.url);
  proxy = await CuttableProxy.start(`http://${url.host}`);
  url.host = new URL(proxy.url).host;
  directoryUrl = url.href;
  cells = await TestCells.start({}, { directoryUrl });
  [first, second] = cells.apps as [TestApp, TestApp];
  keys = await settleAcmeAndGlobex(cells);
});
afterAll(async () => {
  await cells?.stop();
  await proxy?.close();
  await directory?.drop();
});

it('works with its copy while the directory does not answer, also after a restart', async () => {
  proxy.cut();
  await cells.settle();
  for (const app of [first, second]) {
    expect((await app.as(keys.globex).get('/api/o/globex/')).status).toBe(200);
    expect((await app.as(keys.acme).post(triggerOf('acme'))).status).toBe(201);
  }
  // A slug cannot be claimed now.
  const refused = await first
    .as(await first.key())
    .post('/api/o/')
    .send({ slug: 'later', name: 'Later' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);

  const again = await startCell(0, directoryUrl, { url: first.databaseUrl, drop: () => Promise.resolve() });
  try {
    expect((await again.as(keys.globex).get('/api/o/globex/')).status).toBe(200);
  } finally {
    await again.stop();
  }
});

it('catches up when the directory answers again', async () => {
  proxy.restore();
  await cells.settle();
  const operator = await first.key();
  expect((await first.as(operator).post('/api/o/').send({ slug: 'later', name: 'Later' })).status).toBe(201);
  await second.app.get(DirectoryReplica).pull();
  expect((await second.as(operator).get('/api/o/later/')).status).toBe(200);
});

it('tells the directory later about an organization that it could not tell it about at once', async () => {
  // As if the directory had been lost between the claim and the commit.
  await second.pool.query(`insert into organizations (slug, name) values ('quiet', 'Quiet')`);
  await cells.settle();
  await cells.settle();
  expect(await cells.directory.place('quiet')).toMatchObject({ cell: 1, state: 'here' });
  await second.pool.query(`delete from organizations where slug = 'quiet'`);
  await cells.settle();
  expect(await cells.directory.place('quiet')).toBeNull();
});

it('answers 503 for the organizations of a cell that is down, and goes on with its own', async () => {
  const way = await CuttableProxy.start(second.url);
  second.app.get(Cells).settings.url = way.url;
  await cells.settle();
  await cells.settle();
  expect((await first.as(keys.globex).get('/api/o/globex/')).status).toBe(200);
  await way.close();
  const answer = await first.as(keys.globex).get('/api/o/globex/');
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
  expect((await first.as(keys.acme).get('/api/o/acme/')).status).toBe(200);
});
