import { afterEach, expect, it, jest } from '@jest/globals';
import { Cells } from '../../src/cell/directory/cells.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import { inboxOf, organization } from '../cell/world.js';
import type { TestApp } from '../support/app/app.js';
import { CELL_SECRET, TestCells } from '../support/app/cells.js';
import { cli } from '../support/app/cli.js';

// After the switch a cell takes up to a second to learn where the organization is. Here it takes as long as the test wants.
let cells: TestCells;
afterEach(async () => {
  jest.restoreAllMocks();
  await cells?.stop();
});

/** More than an address may send wrong keys in a minute. */
const MANY = 120;

const deaf = ({ app }: TestApp) => jest.spyOn(app.get(DirectoryReplica), 'pull').mockResolvedValue();

interface Client {
  name: string;
  ask: (app: TestApp) => PromiseLike<{ status: number; headers: Record<string, string> }>;
}

async function clientsOf(source: TestApp): Promise<Client[]> {
  const key = () => source.key({ org: 'acme' });
  const [named, unnamed, listing, other] = [await key(), await key(), await key(), await key()];
  const page = await source.signIn({ key: await key() });
  const { body } = await source
    .as(other)
    .post('/api/o/acme/u/ann@acme.test/token/')
    .send({ scopes: ['inbox'] });
  const token = `Bearer ${(body as { token: string }).token}`;
  return [
    { name: 'key and organization', ask: (app) => app.as(named).get('/api/o/acme/') },
    { name: 'key alone', ask: (app) => app.as(unnamed).get('/api/system/ping/') },
    { name: 'list of its organizations', ask: (app) => app.as(listing).get('/api/o/') },
    { name: 'session and organization', ask: (app) => app.on(page).get('/api/o/acme/u/') },
    { name: 'session alone', ask: (app) => app.on(page).get('/api/session/') },
    { name: 'sign-in', ask: (app) => app.as().post('/api/session/').send({ key: other }) },
    { name: 'recipient token', ask: (app) => app.as().get(inboxOf('acme')).set('Authorization', token) },
  ];
}

async function move(source: TestApp, target: TestApp): Promise<void> {
  const { number, url, directoryUrl } = source.app.get(Cells).settings;
  const { code, stderr } = await cli(['move', 'acme', '--to', String(target.app.get(Cells).settings.number)], {
    ...{ DATABASE_URL: source.databaseUrl, CELL: String(number), CELL_URL: url, CELL_SECRET },
    ...{ DIRECTORY_URL: directoryUrl, TARGET_DATABASE_URL: target.databaseUrl },
    TARGET_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining('acme was frozen for')]);
}

async function expectNeverWrong(clients: Client[], times: number): Promise<void> {
  for (let i = 0; i < times; i++)
    for (const app of cells.apps)
      for (const { name, ask } of clients) {
        const { status, headers } = await ask(app);
        const isRight = status === 503 ? Number(headers['retry-after']) > 0 : status === 200 || status === 201;
        expect({ name, status, isRight }).toMatchObject({ name, isRight: true });
      }
}

it.each([
  ['no cell has heard of it', [0, 1, 2]],
  ['only the old cell has heard of it', [1, 2]],
  ['only the new cell has heard of it', [0, 2]],
  ['a third cell has not heard of it', [2]],
])('never calls a valid key, session or token wrong after a move while %s', async (_, unaware) => {
  cells = await TestCells.start({}, { count: 3 });
  const [source, target] = cells.apps as [TestApp, TestApp];
  await source.apply(organization('acme'));
  await cells.settle();
  const clients = await clientsOf(source);
  const spies = unaware.map((number) => deaf(cells.apps[number]!));
  await move(source, target);
  for (const [number, { app }] of cells.apps.entries())
    if (!unaware.includes(number)) await app.get(DirectoryReplica).pull();
  await expectNeverWrong(clients, Math.ceil(MANY / clients.length));
  for (const spy of spies) spy.mockRestore();
  await cells.settle();
  // Nothing has been counted as a wrong key, and nothing wrong was remembered.
  for (const app of cells.apps)
    for (const { name, ask } of clients)
      expect([name, (await ask(app)).status]).toEqual([name, name === 'sign-in' ? 201 : 200]);
});
