import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newApiKey } from '../../src/auth/api-key.js';
import type { Forwarded } from '../../src/cell/forwarding/forward.js';
import { PROOF_HEADER, prove } from '../../src/cell/forwarding/proof.js';
import type { DirectoryEntry } from '../../src/cell/directory/directory.js';
import { FREEZE } from '../../src/cell/directory/freeze.sql.js';
import { DirectoryReplica } from '../../src/cell/directory/directory-replica.js';
import { clientLeft } from '../../src/platform/http/problem.js';
import type { TestApp } from '../support/app/app.js';
import { CELL_SECRET } from '../support/app/cells.js';
import { until } from '../support/until.js';
import { usePlayedCell } from './played-cell.js';
import type { PlayedCell } from './played-cell.js';
import { isQuiet } from './world.js';

let app: TestApp;
let other: PlayedCell;
let key: string;
usePlayedCell(async (...cells) => {
  [app, other] = cells;
  key = await app.key({ org: 'acme' });
});
afterEach(() => app.pool.query('delete from organization_freezes'));

const places = () => app.app.get(DirectoryReplica).places;

/** With another place of Acme than it has. */
async function withAcmeAt(changes: Partial<DirectoryEntry>, work: () => Promise<void>): Promise<void> {
  const place = places().ofSlug('acme')!;
  places().put([{ ...place, ...changes }]);
  try {
    await work();
  } finally {
    places().put([place]);
  }
}

/** The header of a request that the other cell forwards. */
function proof(method: string, path: string, changes: Partial<Forwarded> = {}) {
  const client = { address: '192.0.2.1', host: 'carillon.test', protocol: 'https' };
  return prove({ from: 1, to: 0, at: Date.now(), ...client, ...changes }, method, path, CELL_SECRET);
}

describe('a request that the other cell has forwarded', () => {
  it('looks as it did there', async () => {
    const path = '/api/o/acme/u/';
    const user = { email: 'eve@acme.test' };
    const made = await app.as(key).post(path).set(PROOF_HEADER, proof('POST', path)).send(user);
    expect(made.status).toBe(201);
    const log = await app.as(key).get('/api/o/acme/audit/');
    expect(log.body).toContainEqual(expect.objectContaining({ noun: 'user', address: '192.0.2.1' }));
    const home = '/api/o/acme/';
    const { text } = await app.as(key).get(home).set(PROOF_HEADER, proof('GET', home));
    expect(text).toContain('"https://carillon.test/api/o/acme/');
  });

  it('without a host has none here', async () => {
    const path = '/api/o/acme/';
    const answer = await app
      .as(key)
      .get(path)
      .set(PROOF_HEADER, proof('GET', path, { host: undefined }));
    expect([answer.status, answer.text.includes(new URL(app.url).host)]).toEqual([200, false]);
  });

  it('keeps its connection, also when its body is refused', async () => {
    const path = '/api/o/acme/u/';
    const headers = {
      ...{ Authorization: `Key ${key}`, 'Content-Type': 'application/json' },
      [PROOF_HEADER]: proof('POST', path),
    };
    const refused = await fetch(`${app.url}${path}`, { method: 'POST', headers, body: 'x'.repeat(2_000_000) });
    expect([refused.status, refused.headers.get('connection')]).toEqual([413, 'keep-alive']);
  });

  it.each([
    ['an organization', 'GET', '/api/o/acme/', undefined],
    ['the session of a key', 'GET', '/api/session/', undefined],
    ['somebody who signs in', 'POST', '/api/session/', () => ({ key })],
  ])('is not sent on again: %s', async (_, method, path, body) => {
    await withAcmeAt({ cell: 1 }, async () => {
      const send = () => {
        const request = method === 'GET' ? app.as(key).get(path) : app.as().post(path).send(body!());
        return request.set('Sec-Fetch-Site', 'same-origin');
      };
      expect((await send()).text).toBe('there');
      const again = await send().set(PROOF_HEADER, proof(method, path));
      expect([again.status, again.headers['retry-after'], again.body.detail]).toEqual([
        503,
        '1',
        'The organization has just moved to another cell. Try again.',
      ]);
    });
  });

  it('asks the directory for nothing', async () => {
    const find = jest.spyOn(app.app.get(DirectoryReplica), 'find');
    const path = '/api/o/nowhere/';
    expect((await app.as(key).get(path).set(PROOF_HEADER, proof('GET', path))).status).toBe(404);
    expect(find).not.toHaveBeenCalled();
    expect((await app.as(key).get(path)).status).toBe(404);
    expect(find).toHaveBeenCalledWith('nowhere');
  });
});

it('answers 503 for an organization whose cell it does not know yet', async () => {
  await withAcmeAt({ cell: 7 }, async () => {
    const answer = await app.as(key).get('/api/o/acme/');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
  });
});

it('reads the body of a sign-in once, whoever answers it', async () => {
  await withAcmeAt({ cell: 1 }, async () => {
    const sent = await app.as().post('/api/session/').send({ key });
    expect([sent.status, sent.text]).toEqual([200, 'there']);
    expect(JSON.parse(other.forwarded.at(-1)!.body)).toEqual({ key });
  });
  for (const body of [{ key, link: 'crt_x' }, { link: 7 }, [key], 'x'])
    expect((await app.as().post('/api/session/').send(JSON.stringify(body)).type('json')).status).toBe(400);
  expect((await app.as().post('/api/session/').type('json').send('{')).status).toBe(400);
});

describe('an organization that moves', () => {
  it('keeps its sessions as they are', async () => {
    const page = await app.signIn({ key });
    const { organizationId } = places().ofSlug('acme')!;
    await app.pool.query(FREEZE, [organizationId]);
    await until(10_000, () => isQuiet(app, organizationId!));
    // No process has heard of it yet.
    const ended = await app.on(page).delete('/api/session/');
    expect([ended.status, ended.headers['retry-after']]).toEqual([503, '2']);
    await app.pool.query('delete from organization_freezes');
    expect((await app.on(page).get('/api/session/')).status).toBe(200);
  });

  it('is refused without an error in the log, and the rest of its body is not read', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const told = jest.spyOn(Logger.prototype, 'debug').mockReturnValue();
    await withAcmeAt({ state: 'moving', target: 1 }, async () => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      socket.write('POST /api/o/acme/u/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1.1 503 [^]*connection: close/i);
      socket.destroy();
    });
    expect(logged).not.toHaveBeenCalled();
    expect(told).toHaveBeenCalledWith(expect.objectContaining({ message: 'request refused' }));
  });
});

it('logs what goes wrong here, and answers 503', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  jest.spyOn(app.app.get(DirectoryReplica), 'find').mockRejectedValue(new Error('broken'));
  const headers = { Authorization: `Key ${newApiKey()}`, 'X-Request-Id': 'asked-here' };
  const answer = await fetch(`${app.url}/api/o/nowhere/`, { headers });
  expect(answer.status).toBe(503);
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'retry-after': '1', connection: 'keep-alive' });
  const line = { message: 'request refused', requestId: 'asked-here', error: 'broken' };
  expect(logged).toHaveBeenCalledWith(line);
});

it('answers nothing to a client that has left', async () => {
  jest.spyOn(app.app.get(DirectoryReplica), 'find').mockRejectedValue(clientLeft());
  await expect(fetch(`${app.url}/api/o/nowhere/`)).rejects.toThrow('fetch failed');
});
