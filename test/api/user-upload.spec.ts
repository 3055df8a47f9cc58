import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Permission } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { invalid } from '../support/contract/problems.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

interface Line {
  kind: 'error' | 'progress' | 'summary';
  line?: number;
  errors?: Record<string, string[]>;
  codes?: Record<string, string[]>;
}

const NDJSON = { 'Content-Type': 'application/x-ndjson' };

const send = (text: string, as = key, org = 'acme', headers: object = NDJSON, query = '') =>
  fetch(`${app.url}/api/o/${org}/users/${query}`, {
    method: 'POST',
    headers: { Authorization: `Key ${as}`, ...headers } as Record<string, string>,
    body: text,
  });

async function upload(users: (object | string)[], as = key, query = ''): Promise<Line[]> {
  const text = users.map((user) => (typeof user === 'string' ? user : JSON.stringify(user))).join('\n');
  const answer = await send(text, as, 'acme', NDJSON, query);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const summary = (counts: object) => ({ kind: 'summary', complete: true, ...counts });

const profileOf = async (email: string) => {
  const { status, body } = await app.as(key).get(`/api/o/acme/users/${email}/`);
  return [status, body as Record<string, unknown>] as const;
};

describe('an upload of users', () => {
  it('creates and replaces whole users, one a line', async () => {
    const users = [
      {
        ...{
          email: 'Up1@acme.test',
          first_name: 'Up',
          custom_fields: { n: 1 },
          time_zone: 'Europe/Rome',
          locale: 'it',
        },
        memberships: [{ project: 'shop', distribution_list: 'Staff' }],
        preferences: { channels: { email: 'off' } },
      },
      { email: 'ann@acme.test', first_name: 'Ann', addresses: [] },
    ];
    expect(await upload(users)).toEqual([
      { kind: 'progress', lines: 2, created: 1, replaced: 1, refused: 0 },
      summary({ lines: 2, created: 1, replaced: 1, refused: 0 }),
    ]);
    expect((await profileOf('up1@acme.test'))[1]).toMatchObject({
      ...{ email: 'Up1@acme.test', first_name: 'Up', custom_fields: { n: 1 }, time_zone: 'Europe/Rome', locale: 'it' },
      memberships: [{ project: 'shop', distribution_list: 'Staff', active: true }],
      preferences: { channels: { email: 'off' } },
    });
    expect((await profileOf('ann@acme.test'))[1]).toMatchObject({ last_name: '', custom_fields: {}, addresses: [] });
    expect((await upload(users)).at(-1)).toEqual(summary({ lines: 2, created: 0, replaced: 2, refused: 0 }));
  });

  it('with mode=merge changes only what a line has, and takes no preferences', async () => {
    const whole = {
      ...{ email: 'merged@acme.test', first_name: 'Ann', last_name: 'Lee', custom_fields: { team: 'ops', n: 1 } },
      ...{ addresses: [{ name: 'phone', value: '+15551234567' }], time_zone: 'Europe/Rome' },
      memberships: [{ project: 'shop', distribution_list: 'Staff' }],
    };
    await upload([whole]);
    const changes = [
      { email: 'MERGED@acme.test', custom_fields: { n: 2 }, addresses: [{ name: 'phone', value: '+43 660 1112223' }] },
      { email: 'merged2@acme.test', first_name: 'Zoë' },
      { email: 'merged@acme.test', preferences: {} },
    ];
    expect(await upload(changes, key, '?mode=merge')).toMatchObject([
      { kind: 'error', line: 3, codes: { preferences: ['unknown_field'] } },
      { kind: 'progress', lines: 3, created: 1, replaced: 1, refused: 1 },
      summary({ lines: 3, created: 1, replaced: 1, refused: 1 }),
    ]);
    expect((await profileOf('merged@acme.test'))[1]).toMatchObject({
      ...{ first_name: 'Ann', last_name: 'Lee', custom_fields: { team: 'ops', n: 2 }, time_zone: 'Europe/Rome' },
      addresses: [{ value: '+15551234567' }, { value: '+436601112223' }],
      memberships: [{ distribution_list: 'Staff' }],
    });
    expect((await profileOf('merged2@acme.test'))[1]).toMatchObject({ first_name: 'Zoë' });
  });

  it('with mode=merge adds to lists, and changes no membership that is there', async () => {
    const off = { project: 'shop', distribution_list: 'Staff', active: false };
    await upload([{ email: 'list1@acme.test', memberships: [off] }]);
    const memberships = [{ project: 'shop', distribution_list: 'staff' }];
    const lines = [
      { email: 'list1@acme.test', memberships },
      { email: 'list2@acme.test', memberships },
      { email: 'list3@acme.test', memberships: [{ project: 'shop', distribution_list: 'Nobody' }] },
      { email: 'list1@acme.test', memberships: [] },
    ];
    expect(await upload(lines, key, '?mode=merge')).toMatchObject([
      { kind: 'error', line: 3, codes: { 'memberships[0].distribution_list': ['not_found'] } },
      { kind: 'progress' },
      { kind: 'progress' },
      summary({ lines: 4, created: 1, replaced: 2, refused: 1 }),
    ]);
    const listsOf = async (email: string) => ((await profileOf(email))[1] as { memberships: object[] }).memberships;
    expect(await listsOf('list1@acme.test')).toMatchObject([{ distribution_list: 'Staff', active: false }]);
    expect(await listsOf('list2@acme.test')).toMatchObject([{ distribution_list: 'Staff', active: true }]);
    const alone = await app.key({ org: 'acme', permissions: ['user:read', 'user:write'] });
    expect(await upload([{ email: 'list2@acme.test', memberships }], alone, '?mode=merge')).toMatchObject([
      { kind: 'error', line: 1, codes: { memberships: ['not_allowed'] } },
      { kind: 'progress' },
      { kind: 'summary', refused: 1 },
    ]);
  });

  it('with dry_run=1 says what it would do, and stores nothing', async () => {
    await upload([{ email: 'dry1@acme.test', first_name: 'Dry' }]);
    const lines = [
      { email: 'dry1@acme.test', first_name: 'Wet' },
      { email: 'dry2@acme.test' },
      { email: 'dry3@acme.test', time_zone: 'Mars/Base' },
    ];
    for (const query of ['?dry_run=1', '?dry_run=1&mode=merge'])
      expect(await upload(lines, key, query)).toMatchObject([
        { kind: 'error', line: 3, errors: { time_zone: [expect.any(String)] } },
        { kind: 'progress', lines: 3, created: 1, replaced: 1, refused: 1 },
        summary({ lines: 3, created: 1, replaced: 1, refused: 1 }),
      ]);
    expect((await profileOf('dry1@acme.test'))[1]).toMatchObject({ first_name: 'Dry' });
    expect((await profileOf('dry2@acme.test'))[0]).toBe(404);
    expect((await send('{}', key, 'acme', NDJSON, '?mode=replace')).status).toBe(400);
  });

  it('names line and field of every mistake, and loses no other line', async () => {
    const lines = await upload([
      '\ufeff{"email":"good1@acme.test"}\r',
      '{"email":"cut',
      '',
      { first_name: 'Nobody' },
      {
        email: 'bad1@acme.test',
        time_zone: 'Mars/Base',
        locale: 'Klingon',
        addresses: [{ name: 'phone', value: '1' }],
      },
      { email: 'bad2@acme.test', memberships: [{ project: 'shop', distribution_list: 'None' }] },
      { email: 'bad3@acme.test', preferences: { categories: { none: 'off' } } },
      { email: 'bad4@acme.test', custom_fields: { text: 'x'.repeat(262_144) } },
      '{"email":"bad5@acme.test","first_name":"\\u0000"}',
      '["x"]',
      { email: 'good2@acme.test', memberships: [{ project: 'shop', distribution_list: 'Staff' }] },
    ]);
    const errors = lines.filter(({ kind }) => kind === 'error').sort((a, b) => a.line! - b.line!);
    expect(errors.map(({ line, errors: all }) => [line, Object.keys(all!).sort()])).toEqual([
      [2, ['body']],
      [4, ['email']],
      [5, ['addresses[0].value', 'locale', 'time_zone']],
      [6, ['memberships[0].distribution_list']],
      [7, ['preferences.categories.none']],
      [8, ['custom_fields']],
      [9, ['first_name']],
      [10, ['body', 'email']],
    ]);
    expect(errors[1]).toMatchObject({ codes: { email: ['required'] } });
    expect(lines.at(-1)).toEqual(summary({ lines: 10, created: 2, replaced: 0, refused: 8 }));
    for (const n of [1, 2]) expect((await profileOf(`good${n}@acme.test`))[0]).toBe(200);
    for (const n of [1, 2, 3, 4, 5]) expect((await profileOf(`bad${n}@acme.test`))[0]).toBe(404);
  });

  it('tells its progress after each batch, and lets the later of two lines win', async () => {
    const users = Array.from({ length: 450 }, (_, n) => ({ email: `many${n}@acme.test`, first_name: 'One' }));
    const lines = await upload([...users, { email: 'MANY449@acme.test', first_name: 'Two' }]);
    expect(lines.map((line) => (line as unknown as { lines: number }).lines)).toEqual([200, 400, 450, 451, 451]);
    expect(lines.at(-1)).toEqual(summary({ lines: 451, created: 450, replaced: 1, refused: 0 }));
    expect((await profileOf('many449@acme.test'))[1]).toMatchObject({ email: 'many449@acme.test', first_name: 'Two' });
  });

  it('names at most 1,000 mistakes, and counts all of them', async () => {
    const lines = await upload(Array.from({ length: 1200 }, () => ({ email: 'x' })));
    expect(lines.filter(({ kind }) => kind === 'error')).toHaveLength(1000);
    expect(lines.at(-1)).toMatchObject({ lines: 1200, refused: 1200 });
  });

  it('needs the permission of each part, line by line', async () => {
    const permissions: Permission[] = ['user:write'];
    const as = await app.key({ org: 'acme', permissions });
    const lines = await upload(
      [
        { email: 'part1@acme.test', memberships: [] },
        { email: 'part2@acme.test', preferences: {} },
        { email: 'part3@acme.test' },
      ],
      as,
    );
    expect(lines.slice(0, 2)).toMatchObject([
      { line: 1, errors: { memberships: ['The API key lacks the permission distributionlist:write.'] } },
      { line: 2, errors: { preferences: ['The API key lacks the permission preference:write.'] } },
    ]);
    expect(lines.at(-1)).toEqual(summary({ lines: 3, created: 1, replaced: 0, refused: 2 }));
    const bound = await send('{}', await app.key({ org: 'acme', project: 'shop' }));
    expect(bound.status).toBe(403);
  });

  it('is refused as a whole if it is too large, too long, or not NDJSON', async () => {
    expect((await send('{}', key, 'acme', { 'Content-Type': 'application/json' })).status).toBe(415);
    const long = await send('{}\n'.repeat(50_001));
    expect([long.status, await long.json()]).toEqual([400, invalid({ body: ['must have at most 50000 lines'] })]);
    // The service closes the connection of a body that it does not read.
    const large = await send('x'.repeat(16 * 1024 * 1024 + 1)).catch(() => null);
    expect([413, undefined]).toContain(large?.status);
  });

  it('of nothing is complete', async () => {
    expect((await upload([])).at(-1)).toEqual(summary({ lines: 0, created: 0, replaced: 0, refused: 0 }));
  });
});

describe('uploads of several organizations', () => {
  /** Sends the head and a part of the body, and returns a way to send the rest. */
  function begin(body: string) {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(
      [
        'POST /api/o/acme/users/ HTTP/1.1',
        ...['Host: x', `Authorization: Key ${key}`, 'Content-Type: application/x-ndjson', 'Connection: close'],
        ...[`Content-Length: ${body.length}`, '', body.slice(0, 10)],
      ].join('\r\n'),
    );
    const end = async () => {
      socket.write(body.slice(10));
      await until(10_000, () => socket.closed);
      return answer;
    };
    return { end, leave: () => socket.destroy(), isAnswered: () => answer !== '' };
  }

  /** Begins an upload and waits until it has its place: until another one is refused, and not itself. That one has a connection already, and would be first. */
  async function hold(body: string) {
    for (let leadMs = 50; ; leadMs *= 2) {
      const upload = begin(body);
      await pause(leadMs);
      const refusal = await until(10_000, async () => {
        if (upload.isAnswered()) return 'again';
        const other = await send('{"email":"second@acme.test"}');
        return other.status === 429 && other;
      });
      if (refusal !== 'again') return { ...upload, refusal };
    }
  }

  it('do not wait for one that is slow, and each has one at a time', async () => {
    const slow = await hold('{"email":"slow@acme.test"}');
    expect(await slow.refusal.json()).toMatchObject({ detail: expect.stringContaining('too many uploads') });
    const other = await send('{"email":"other@globex.test"}', await app.key({ org: 'globex' }), 'globex');
    expect([other.status, await other.text()]).toEqual([200, expect.stringContaining('"complete":true')]);
    expect(await slow.end()).toContain('"complete":true');
    expect((await profileOf('slow@acme.test'))[0]).toBe(200);
    expect((await upload([{ email: 'after@acme.test' }])).at(-1)).toMatchObject({ complete: true });
  });

  it('store nothing of a body that was cut off, and free their place', async () => {
    const cut = await hold('{"email":"cut@acme.test"}\n{"email":"off@acme.test"}');
    cut.leave();
    await until(10_000, async () => (await send('{"email":"second@acme.test"}')).status === 200);
    expect((await profileOf('cut@acme.test'))[0]).toBe(404);
  });

  it('let the requests of others in between', async () => {
    const users = Array.from({ length: 3000 }, (_, n) => JSON.stringify({ email: `bulk${n}@acme.test` }));
    let isOver = false;
    const uploaded = send(users.join('\n')).then(async (answer) => {
      const text = await answer.text();
      isOver = true;
      return text;
    });
    const globex = await app.key({ org: 'globex' });
    let between = 0;
    await until(10_000, async () => {
      const { status } = await app.as(globex).get('/api/o/globex/u/ann@globex.test/');
      if (status === 200 && !isOver) between++;
      return isOver;
    });
    expect(between).toBeGreaterThan(0);
    expect(await uploaded).toContain('"complete":true,"lines":3000');
  });
});
