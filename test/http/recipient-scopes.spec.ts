import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Origins } from '../../src/auth/recipient/origins.js';
import type { RecipientScopes } from '../../src/auth/recipient/recipient-scopes.js';
import { signToken } from '../../src/auth/recipient/token.js';
import { Statements } from '../support/app/statements.js';
import { Clock } from '../support/clock.js';
import { useTree } from '../support/world/tree.js';
import type { Branch, Tree } from '../support/world/tree.js';

const SECRET = 'crs_secret';
const ANN = 'ann@x.test';

let tree: Tree;
let at: Branch;
useTree((created) => {
  tree = created;
  [at] = tree.branches as [Branch];
});

let recipients: RecipientScopes;
let sent: Statements;
beforeEach(() => {
  recipients = tree.recipients();
  sent = new Statements(tree.database);
});
afterEach(() => void jest.restoreAllMocks());

const newKid = async (columns?: { secret: string }) => (await tree.signingSecret(SECRET, columns)).kid;

function tokenOf(kid: string, username = ANN): string {
  const now = Math.floor(Date.now() / 1000);
  return signToken({ org: at.org, sub: username, scope: 'inbox', iat: now, exp: now + 3600 }, kid, SECRET);
}

const ask = (token: string) =>
  recipients.resolve(token, 'inbox', { org: at.org, username: ANN }, { setHeader: () => undefined as never });
const isValid = (token: string) =>
  ask(token).then(
    () => true,
    () => false,
  );

it('is read with each request, with the quotas of its organization, and is no operator', async () => {
  await tree.pool.query(`update organizations set quotas = '{"stored_mb": 7}' where id = $1`, [at.organization]);
  const token = tokenOf(await newKid());
  const { key, quotas, recipient } = await ask(token);
  expect(quotas).toEqual({ ...tree.config.quotas, stored_mb: 7 });
  expect([key.isOperator, recipient!.userId]).toEqual([false, at.user]);
  await ask(token);
  expect(sent.names).toEqual(['resolve-recipient', 'resolve-recipient']);
  await tree.pool.query(`update organizations set quotas = '{}' where id = $1`, [at.organization]);
});

it('ends in every process at once when its user is locked or its secret is revoked', async () => {
  const { id, kid } = await tree.signingSecret(SECRET);
  const token = tokenOf(kid);
  const lock = (locked: boolean) => tree.pool.query('update users set locked = $2 where id = $1', [at.user, locked]);
  const states = [await isValid(token)];
  await lock(true);
  states.push(await isValid(token));
  await lock(false);
  states.push(await isValid(token));
  await tree.pool.query('update signing_secrets set revoked_at = now() where id = $1', [id]);
  states.push(await isValid(token));
  expect(states).toEqual([true, false, true, false]);
});

it('of an unknown secret costs one statement in five seconds, and of a person who is not there yet one each', async () => {
  const unknown = tokenOf(randomUUID());
  await Clock.stopped(async (clock) => {
    const statementsAfter = async (ms: number) => {
      await clock.pass(ms);
      expect(await isValid(unknown)).toBe(false);
      return sent.names.length;
    };
    expect([await statementsAfter(0), await statementsAfter(4999), await statementsAfter(2)]).toEqual([1, 1, 2]);
  });
  const early = tokenOf(await newKid(), 'later@x.test');
  expect([await isValid(early), await isValid(early)]).toEqual([false, false]);
  expect(sent.names).toHaveLength(4);
});

it('of a secret that cannot be opened is refused, and the log says why', async () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const kid = await newKid({ secret: 'v1.none' });
  expect(await isValid(tokenOf(kid))).toBe(false);
  const message = 'cannot check recipient tokens';
  expect(error.mock.calls).toEqual([[{ message, kid, error: expect.any(String) }]]);
});

it('asks for the origins of an organization once, and for none of a name that cannot be one', async () => {
  const origins = new Origins(tree.database);
  const share = (org: string) =>
    origins.share(
      { headers: { origin: 'https://x.test' }, params: { org } } as unknown as Request,
      { setHeader: () => undefined } as unknown as Response,
    );
  await tree.pool.query(`update organizations set origins = '{https://x.test}' where id = $1`, [at.organization]);
  expect([await share(at.org), await share(at.org), await share('a\u0000')]).toEqual([true, true, false]);
  expect(sent.names).toEqual(['origins-of']);
});
