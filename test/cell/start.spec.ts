import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CELL_SECRET } from '../support/app/cells.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

let directory: TestDatabase;
let folder: TestFolder;
const services: Service[] = [];
beforeAll(async () => {
  directory = await createDatabase();
  folder = createFolder();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  folder.remove();
  await directory.drop();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As somebody starts one who tries cells: with a database of its own. */
async function start(number: number): Promise<Service> {
  const port = String(await freePort());
  const service = await Service.start({
    ...{ CELL: String(number), CELL_URL: `http://127.0.0.1:${port}`, CELL_SECRET, DIRECTORY_URL: directory.url },
    ...{ DATA_DIR: join(folder.path, String(number)), PORT: port, HOST: '127.0.0.1', LOG_FORMAT: 'pretty' },
  });
  services.push(service);
  return service;
}

it('starts a second cell, which leaves the demo to the first and forwards to it', async () => {
  const first = await start(0);
  const [, key] = /API key +(crl_\w+)/.exec(first.output)!;
  const second = await start(1);
  expect(second.output).not.toMatch(/API key +crl_/);
  await until(20_000, async () => {
    const answer = await fetch(`${second.url}/api/o/demo/`, { headers: { Authorization: `Key ${key}` } });
    return answer.status === 200;
  });
});
