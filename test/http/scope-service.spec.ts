import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newApiKey } from '../../src/auth/api-key.js';
import type { PathNames } from '../../src/auth/scope.js';
import type { Needs, ScopeService } from '../../src/auth/scope.service.js';
import { Statements } from '../support/app/statements.js';
import { Clock } from '../support/clock.js';
import { useTree } from '../support/world/tree.js';
import type { Branch, Tree, TreeKey } from '../support/world/tree.js';

const NEEDS: Needs = { permission: 'user:read' };

let tree: Tree;
let operator: TreeKey;
let at: Branch;
useTree((created) => {
  tree = created;
  [operator] = tree.keys as [TreeKey];
  [at] = tree.branches as [Branch];
});

let scopes: ScopeService;
let sent: Statements;
beforeEach(() => {
  scopes = tree.scopes();
  sent = new Statements(tree.database);
});
afterEach(async () => {
  await sent.settled();
  jest.restoreAllMocks();
});

const ask = (key: { text: string }, needs = NEEDS, path: PathNames = {}) =>
  scopes.resolve(key.text, needs, path, { setHeader: () => undefined as never });
const isRemembered = (key: TreeKey, path?: PathNames) => !(ask(key, NEEDS, path) instanceof Promise);
const outcome = async (...request: Parameters<typeof ask>) => {
  try {
    await ask(...request);
    return 'passed';
  } catch (error) {
    return (error as Error).message;
  }
};
/** The keys of each statement that noted their use. */
const notes = () => sent.of('touch-api-keys');

describe('a key', () => {
  it('that is malformed costs no statement, and one that is unknown only one', async () => {
    const { text } = operator;
    for (const malformed of ['garbage', text.slice(0, -1), text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')])
      expect(() => ask({ text: malformed })).toThrow('The API key is not valid.');
    expect(sent.names).toEqual([]);
    const unknown = { text: newApiKey() };
    await expect(ask(unknown)).rejects.toThrow('The API key is not valid.');
    expect(() => ask(unknown)).toThrow('The API key is not valid.');
    expect(sent.names).toEqual(['resolve-branch']);
  });

  it('is remembered until it is forgotten', async () => {
    await ask(operator);
    scopes.forget(tree.keys[1]!.id);
    expect(isRemembered(operator)).toBe(true);
    scopes.forget(operator.id);
    expect(isRemembered(operator)).toBe(false);
    await ask(operator);
    scopes.forgetAll();
    expect(isRemembered(operator)).toBe(false);
  });

  it.each(['forget', 'forgetAll'] as const)('is not remembered as it was read before %s', async (verb) => {
    const asking = ask(operator);
    scopes[verb](operator.id);
    await asking;
    expect(isRemembered(operator)).toBe(false);
  });

  it('is looked up again after three to five seconds, some sooner and some later; an unknown one after five', async () => {
    await Clock.stopped(async (clock) => {
      const unknown = { text: newApiKey() };
      await expect(ask(unknown)).rejects.toThrow('The API key is not valid.');
      for (const key of tree.keys) await ask(key);
      await clock.pass(2990);
      expect(tree.keys.filter((key) => isRemembered(key))).toHaveLength(15);
      await clock.pass(1910);
      const later = tree.keys.filter((key) => isRemembered(key));
      expect(later.length).toBeLessThan(15);
      expect(() => ask(unknown)).toThrow('The API key is not valid.');
      await clock.pass(110);
      expect(later.filter((key) => isRemembered(key))).toEqual([]);
      await expect(ask(unknown)).rejects.toThrow('The API key is not valid.');
    });
  });

  it('is refused once it is revoked or has expired, or if it lacks the permission', async () => {
    expect(await outcome(await tree.key({ revoked_at: new Date() }))).toBe('The API key has been revoked.');
    expect(await outcome(operator, { permission: 'user:write' })).toBe('The API key lacks the permission user:write.');
    await Clock.stopped(async (clock) => {
      const key = await tree.key({ expires_at: new Date(Date.now() + 1) });
      expect(await outcome(key)).toBe('passed');
      clock.advance(1);
      expect(await outcome(key)).toBe('The API key has expired.');
    });
  });

  it.each([
    ['service', 1],
    ['organization', 3],
    ['project', 7],
    [undefined, 15],
  ] as const)('that covers less than the whole %s is refused where that is needed', async (reach, enough) => {
    const outcomes = await Promise.all(tree.keys.map((key) => outcome(key, { ...NEEDS, reach })));
    expect(outcomes.map((each) => each === 'passed')).toEqual(tree.keys.map((_, i) => i < enough));
  });

  it('says who it is, and where it reaches', async () => {
    const { organization, project, application } = at;
    const expiresAt = new Date('2100-01-01');
    const columns = { name: 'ci', expires_at: expiresAt, rate_limit: 3, rate_limit_of: 5 };
    const bound = await tree.key(columns, { organization, project, application });
    expect((await ask(bound)).key).toEqual({
      ...{ id: bound.id, name: 'ci', permissions: ['user:read'], isOperator: false },
      ...{ organizationId: organization, projectId: project, applicationId: application },
      ...{ expiresAt, via: null, parentId: null, rateLimit: 3, rateLimitOf: 5 },
    });
    expect((await ask(operator)).key.isOperator).toBe(true);
  });
});

describe('the use of a key', () => {
  it('is noted once a minute', async () => {
    await Clock.stopped(async (clock) => {
      const use = async () => {
        await ask(operator);
        await sent.settled();
      };
      await use();
      clock.advance(59_999);
      await use();
      expect(notes()).toEqual([[operator.id]]);
      clock.advance(1);
      await use();
      await use();
      expect(notes()).toEqual([[operator.id], [operator.id]]);
    });
  });

  it.each([
    [99_999, 100_000],
    [100_000, 1],
  ])('is remembered with that of %i other keys: of %i then', async (others, size) => {
    const touched = Reflect.get(scopes, 'touched') as Map<number, number>;
    for (let i = 1; i <= others; i++) touched.set(-i, 0);
    await ask(operator);
    expect(touched.size).toBe(size);
  });

  it('is noted together with others that came during a note, and again if it could not be noted', async () => {
    const [first, second, third] = [await tree.key(), await tree.key(), await tree.key()];
    await tree.locked(`select from api_keys where id = ${first.id} for update`, async () => {
      for (const key of [first, second, third]) await ask(key);
      expect(notes()).toEqual([[first.id]]);
      await tree.cancelWaiting();
      await sent.settled();
    });
    expect(notes()).toEqual([[first.id], [second.id, third.id]]);
    await ask(first);
    expect(notes()).toEqual([[first.id], [second.id, third.id], [first.id]]);
  });
});

describe('a path', () => {
  it.each([
    ['org', 'organization', []],
    ['prj', 'project', ['org']],
    ['app', 'application', ['org', 'prj']],
    ['evt', 'event', ['org', 'prj', 'app']],
    ['username', 'user', ['org']],
    ['pk', 'list', ['org', 'prj']],
    ['occurrence', 'occurrence', ['org']],
  ] as const)('names a {%s}, or there is none', async (name, noun, above) => {
    const all = { ...at, evt: 'paid', username: 'Ann@X.test', pk: String(at.list) };
    const path: PathNames = Object.fromEntries([...above, name].map((each) => [each, all[each]]));
    const scope = await ask(operator, NEEDS, path);
    expect([scope[`${noun}Id`], scope.path]).toEqual([at[noun], path]);
    expect(isRemembered(operator, path)).toBe(true);
    for (const wrong of ['nowhere', 'a\u0000b', '0'])
      expect(await outcome(operator, NEEDS, { ...path, [name]: wrong })).toBe(
        `There is no such ${noun === 'list' ? 'distribution list' : noun}.`,
      );
  });
});

describe('limits', () => {
  it('count the requests of a key together with those of the keys that share its limit', async () => {
    await Clock.stopped(async () => {
      const key = await tree.key({ rate_limit: 1 });
      const child = await tree.key({ rate_limit: 1, rate_limit_of: key.id });
      const other = await tree.key({ rate_limit: 1 });
      expect(await outcome(key)).toBe('passed');
      for (const each of [key, child])
        expect(await outcome(each)).toBe('Rate limit exceeded: this API key allows 1 requests per second.');
      expect((await ask(other)).key).toMatchObject({ rateLimit: 1, rateLimitOf: other.id });
    });
  });

  it('count the triggers of an organization with all its keys, and nothing else', async () => {
    const [acme, globex] = [{ org: 'acme' }, { org: 'globex' }];
    const trigger: Needs = { ...NEEDS, spends: 'trigger' };
    await Clock.stopped(async () => {
      for (const spends of [undefined, 'storage', 'storage', 'storage', 'trigger'] as const)
        expect(await outcome(operator, { ...NEEDS, spends }, acme)).toBe('passed');
      expect(await outcome(tree.keys[1]!, trigger, acme)).toBe('passed');
      await expect(async () => ask(operator, trigger, acme)).rejects.toMatchObject({
        detail: expect.stringContaining('allows 2 triggers per second'),
        headers: { 'Retry-After': '1' },
      });
      expect(await outcome(operator, trigger, globex)).toBe('passed');
      for (let i = 0; i < 3; i++) expect(await outcome(operator, trigger)).toBe('passed');
    });
  });

  it('ask for space in the quota of the organization', async () => {
    await tree.pool.query(
      `update organizations set quotas = '{ "stored_mb": 1 }' where slug = 'globex';
       update organization_usage set stored_bytes = 1048576`,
    );
    const full = expect.stringContaining('its quota stored_mb is 1.');
    for (const spends of ['storage', 'trigger'] as const) {
      expect(await outcome(operator, { ...NEEDS, spends }, { org: 'globex' })).toEqual(full);
      expect(await outcome(operator, { ...NEEDS, spends }, { org: 'acme' })).toBe('passed');
    }
    const { quotas } = await ask(operator, NEEDS, { org: 'globex' });
    expect(quotas).toEqual({ ...tree.config.quotas, stored_mb: 1 });
  });
});
