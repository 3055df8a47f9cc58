import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Dispatcher, Message } from '../../src/dispatcher/dispatcher.js';
import { Outbound } from '../../src/dispatcher/outbound/outbound.js';
import { builtInProvider } from '../../src/dispatcher/provider/built-in.js';
import { FileDispatcher } from '../../src/dispatcher/provider/file.dispatcher.js';
import { ChannelTokens, type MadeToken } from '../../src/dispatcher/token/channel-tokens.js';
import { StoredTokens } from '../../src/engine/token/stored-tokens.js';
import { readConfig } from '../../src/platform/config/config.js';
import { Database } from '../../src/platform/database/database.js';
import { SecretBox } from '../../src/platform/secret/secret-box.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Clock } from '../support/clock.js';
import { APPLE_KEY, FakeApplePush } from '../support/providers/apple-push.js';
import { FakeFcm, SERVICE_ACCOUNT } from '../support/providers/fcm.js';
import { until } from '../support/until.js';
import { about } from '../support/world/about.js';
import { Tenant } from '../support/world/tenant.js';

const MINUTE_MS = 60_000;
const KEY = Buffer.alloc(32, 7);

let app: TestApp;
let channelId: number;
let apple: FakeApplePush;
let fcm: FakeFcm;
let workers: Worker[];
useApp({}, async (started) => {
  app = started;
});

/** What a process has of its own. */
class Worker {
  readonly outbound = new Outbound({ allow: ['127.0.0.0/8'] });
  readonly database = new Database(app.databaseUrl, readConfig({ SECRET_KEY: KEY.toString('base64') }));
  readonly tokens = new ChannelTokens(new StoredTokens(this.database, new SecretBox(KEY)));

  dispatcher(type: string, origin: string): Dispatcher {
    return new FileDispatcher(type, () => builtInProvider(type), this.outbound, origin, this.tokens);
  }

  push(): Dispatcher {
    return this.dispatcher('apns', apple.origin);
  }

  async close(): Promise<void> {
    await this.outbound.close();
    await this.database.onApplicationShutdown();
  }
}

beforeEach(async () => {
  [apple, fcm] = await Promise.all([FakeApplePush.start(), FakeFcm.start()]);
  workers = [new Worker(), new Worker()];
  const tenant = await Tenant.create(app, { channels: [{ slug: 'log', name: 'Log', type: 'log' }] });
  const sql = `select c.id from channels c join organizations o on o.id = c.organization_id where o.slug = $1`;
  channelId = (await app.pool.query<{ id: number }>(sql, [tenant.org])).rows[0]!.id;
});
afterEach(() => Promise.all([...workers, apple, fcm].map((each) => each.close())));

const message: Message = { id: 'o1.1', to: 'a1', subject: 'Paid', text: 'Hi', html: '', about, context: {} };
const config = { ...APPLE_KEY, environment: 'production' };

const stored = async () => {
  const sql = 'select purpose, sealed from channel_tokens where channel_id = $1';
  return (await app.pool.query<{ purpose: string; sealed: string }>(sql, [channelId])).rows;
};

describe('two processes', () => {
  it('use one token of Apple for 50 minutes, and renew it once', async () => {
    const [one, two] = workers.map((worker) => worker.push());
    await Clock.stopped(async (clock) => {
      for (let minute = 0; minute < 50; minute++) {
        const outcomes = await Promise.all([one!, two!].map((each) => each.send(message, config, channelId)));
        expect(outcomes.map(({ kind }) => kind)).toEqual(['sent', 'sent']);
        expect(apple.tokens).toHaveLength(1);
        clock.advance(MINUTE_MS);
      }
      for (let minute = 50; minute < 95; minute++) {
        const outcomes = await Promise.all([two!, one!].map((each) => each.send(message, config, channelId)));
        expect(outcomes.map(({ kind }) => kind)).toEqual(['sent', 'sent']);
        clock.advance(MINUTE_MS);
      }
    });
    expect(apple.tokens).toHaveLength(2);
    expect(apple.sessions).toHaveLength(2);
  });

  it('that start at once make one token', async () => {
    const each = workers.map((worker) => worker.dispatcher('fcm', fcm.origin));
    const sent = await Promise.all(
      [...each, ...each, ...each].map((dispatcher) =>
        dispatcher.send({ ...message, to: 'c1:x' }, { service_account: SERVICE_ACCOUNT }, channelId),
      ),
    );
    expect(sent.map(({ kind }) => kind)).toEqual(Array(6).fill('sent'));
    expect(fcm.tokensMade).toBe(1);
  });
});

/** A token that a test makes. */
const tokenOf = (value: string, ms = 60 * MINUTE_MS): MadeToken => {
  const madeAt = Date.now();
  return { value, madeAt, renewAt: madeAt + ms / 2, expiresAt: madeAt + ms };
};

const demand = (make: () => Promise<MadeToken>, change: object = {}) => ({
  ...{ channelId, purpose: 'test', fingerprint: 'f1', minAgeMs: MINUTE_MS, make },
  ...change,
});

const made = (value: string) => demand(() => Promise.resolve(tokenOf(value)));
const failed = () =>
  demand(() => Promise.resolve({ failure: { kind: 'rejected', answer: 'no', fault: 'channel' } as const }));

describe('a stored token', () => {
  it('is encrypted, and found by another process', async () => {
    const [one, two] = workers.map(({ tokens }) => tokens);
    expect(await one!.get(made('secret-1'))).toMatchObject({ value: 'secret-1' });
    expect(await two!.get(failed())).toMatchObject({ value: 'secret-1' });
    expect(JSON.stringify(await stored())).not.toContain('secret-1');
  });

  it('of other settings is not used', async () => {
    const [one, two] = workers.map(({ tokens }) => tokens);
    await one!.get(made('old'));
    const other = demand(() => Promise.resolve(tokenOf('new')), { fingerprint: 'f2' });
    expect(await two!.get(other)).toMatchObject({ value: 'new' });
  });

  it('that is due is renewed by one process, while the others go on with it', async () => {
    const [one, two] = workers.map(({ tokens }) => tokens);
    await one!.get(made('old'));
    await two!.get(made('old'));
    await Clock.stopped(async (clock) => {
      clock.advance(31 * MINUTE_MS);
      let finish = (_token: MadeToken) => {};
      let asked = 0;
      const slow = demand(() => {
        asked++;
        return new Promise((resolve) => (finish = resolve));
      });
      const renewing = one!.get(slow);
      await until(5000, () => Promise.resolve(asked === 1));
      expect(await two!.get(slow)).toMatchObject({ value: 'old' });
      expect(await one!.get(slow)).toMatchObject({ value: 'old' });
      finish(tokenOf('new'));
      expect(await renewing).toMatchObject({ value: 'new' });
      clock.advance(6_000);
      expect(await two!.get(slow)).toMatchObject({ value: 'new' });
      expect(asked).toBe(1);
    });
  });

  it('that cannot be renewed is used until it expires', async () => {
    const { tokens } = workers[0]!;
    await tokens.get(made('old'));
    await Clock.stopped(async (clock) => {
      clock.advance(59 * MINUTE_MS);
      expect(await tokens.get(failed())).toMatchObject({ value: 'old' });
      clock.advance(2 * MINUTE_MS);
      expect(await tokens.get(failed())).toEqual({ failure: { kind: 'rejected', answer: 'no', fault: 'channel' } });
    });
  });

  it('that is being made by a process that died is made by another one', async () => {
    const store = new StoredTokens(workers[0]!.database, new SecretBox(KEY));
    const now = Date.now();
    const key = { channelId, purpose: 'test', fingerprint: 'f1' };
    expect(await store.claim(key, null, now, now + 15_000)).not.toBeNull();
    expect(await store.claim(key, null, now, now + 15_000)).toBeNull();
    expect(await store.claim(key, null, now + 15_000, now + 30_000)).not.toBeNull();
  });

  it('that was refused is renewed, but not if it is too young', async () => {
    const { tokens } = workers[0]!;
    await tokens.get(made('old'));
    expect(await tokens.replace(made('new'), 'old')).toBeNull();
    await Clock.stopped(async (clock) => {
      clock.advance(MINUTE_MS);
      const both = [tokens.replace(made('new'), 'old'), tokens.replace(made('newer'), 'old')];
      expect(await Promise.all(both)).toEqual([
        expect.objectContaining({ value: 'new' }),
        expect.objectContaining({ value: 'new' }),
      ]);
      expect(await workers[1]!.tokens.replace(made('newest'), 'old')).toMatchObject({ value: 'new' });
    });
  });

  it('is not renewed while it is held, unless it expires', async () => {
    const { tokens } = workers[0]!;
    await tokens.get(made('old'));
    await Clock.stopped(async (clock) => {
      clock.advance(29.5 * MINUTE_MS);
      await tokens.hold(made('x'));
      clock.advance(MINUTE_MS - 1000);
      expect(await workers[1]!.tokens.get(made('new'))).toMatchObject({ value: 'old' });
      clock.advance(2000);
      expect(await workers[1]!.tokens.get(made('new'))).toMatchObject({ value: 'new' });
    });
  });

  it('of a channel that was deleted is not stored', async () => {
    await app.pool.query('delete from channels where id = $1', [channelId]);
    const store = new StoredTokens(workers[0]!.database, new SecretBox(KEY));
    const now = Date.now();
    expect(await store.claim({ channelId, purpose: 'test', fingerprint: 'f1' }, null, now, now + 1)).toBeNull();
    expect(await stored()).toEqual([]);
  });
});

it('a channel that is not stored has tokens of its process only', async () => {
  const { tokens } = workers[0]!;
  const own = { channelId: null };
  expect(await tokens.get({ ...made('one'), ...own })).toMatchObject({ value: 'one' });
  expect(await tokens.get({ ...made('two'), ...own })).toMatchObject({ value: 'one' });
  expect(await stored()).toEqual([]);
});
