import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { compileAudience } from './audience.js';
import type { Audience } from './audience.js';
import { checkAudience } from './audience-check.js';

const server = process.env.TEST_POSTGRES_URL;
// Without a database server, as in a run of Jest alone, the tests that need one are skipped.
const withServer = server ? describe : describe.skip;

withServer('who an audience is', () => {
  const database = `audience_${process.pid}`;
  const admin = new Client({ connectionString: server });
  const client = new Client({ connectionString: server?.replace(/\/[^/]*$/, `/${database}`) });

  beforeAll(async () => {
    await admin.connect();
    await admin.query(`create database ${database} template template_carillon`);
    await client.connect();
    await client.query(`insert into organizations (id, slug, name) values (1, 'acme', 'Acme')`);
    const add = async (id: number, email: string, first: string, last: string, fields: unknown): Promise<void> => {
      await client.query(
        `insert into users (id, organization_id, email, email_key, first_name, last_name, custom_fields)
         values ($1, 1, $2, lower($2), $3, $4, $5)`,
        [id, email, first, last, JSON.stringify(fields)],
      );
    };
    await add(1, 'Ann@Acme.test', 'Ann', 'Lee', {
      team: 'ops',
      level: 3,
      tags: ['a', 'b'],
      on: true,
      at: { city: 'Oslo' },
    });
    await add(2, 'bob@acme.test', 'Bob', '100%', { team: 'dev', level: 10, tags: 'abc', on: false, 'a\'b"c': 1 });
    await add(3, 'eve@other.test', 'Eve', '', { team: null, level: '7', x: ['1', 1, null] });
    await add(4, 'dan_x@other.test', 'Dän', 'a\\b', {});
    await client.query(
      `insert into addresses (organization_id, user_id, name, value)
       values (1, 1, 'phone', '+431'), (1, 2, 'phone', '+492'), (1, 2, 'email', 'bob@acme.test'), (1, 4, 'email', 'd@x')`,
    );
  });

  afterAll(async () => {
    await client.end();
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
  });

  async function idsOf(audience: Audience): Promise<number[]> {
    expect(checkAudience(audience)).toEqual([]);
    const { sql, values } = compileAudience(audience, 2);
    const { rows } = await client.query<{ id: number }>(
      `select u.id from users u where u.organization_id = $1 and ${sql} order by u.id`,
      [1, ...values],
    );
    return rows.map(({ id }) => id);
  }

  const injection = `x' or 1=1 --`;

  it.each<[Audience, number[]]>([
    [{ field: 'email', is: 'ANN@acme.TEST' }, [1]],
    [{ field: 'email', ends_with: '@ACME.test' }, [1, 2]],
    [{ field: 'email', in: ['BOB@acme.test', 'eve@other.test'] }, [2, 3]],
    [{ field: 'email', contains: '_' }, [4]],
    [{ field: 'first_name', is: 'Ann' }, [1]],
    [{ field: 'first_name', is: 'ann' }, []],
    [{ field: 'first_name', starts_with: 'D' }, [4]],
    [{ field: 'last_name', exists: true }, [1, 2, 4]],
    [{ field: 'last_name', exists: false }, [3]],
    [{ field: 'last_name', ends_with: '0%' }, [2]],
    [{ field: 'last_name', contains: '%' }, [2]],
    [{ field: 'last_name', contains: '\\' }, [4]],
    [{ field: 'custom_fields.team', is: 'ops' }, [1]],
    [{ field: 'custom_fields.team', in: ['ops', 'dev'] }, [1, 2]],
    [{ field: 'custom_fields.team', exists: true }, [1, 2]],
    [{ field: 'custom_fields.team', exists: false }, [3, 4]],
    [{ field: 'custom_fields.on', is: true }, [1]],
    [{ field: 'custom_fields.on', in: [true, false] }, [1, 2]],
    [{ field: 'custom_fields.level', is: 3 }, [1]],
    [{ field: 'custom_fields.level', is: '3' }, []],
    [{ field: 'custom_fields.level', gt: 3 }, [2]],
    [{ field: 'custom_fields.level', gte: 3 }, [1, 2]],
    [{ field: 'custom_fields.level', lt: 10 }, [1]],
    [{ field: 'custom_fields.level', lte: 10.0 }, [1, 2]],
    [{ field: 'custom_fields.tags', contains: 'b' }, [1, 2]],
    [{ field: 'custom_fields.tags', contains: 'bc' }, [2]],
    [{ field: 'custom_fields.x', contains: 1 }, [3]],
    [{ field: 'custom_fields.x', contains: true }, []],
    [{ field: 'custom_fields.tags.0', is: 'a' }, [1]],
    [{ field: 'custom_fields.at.city', starts_with: 'Os' }, [1]],
    [{ field: 'custom_fields.at', starts_with: '{' }, []],
    [{ field: `custom_fields.a'b"c`, is: 1 }, [2]],
    [{ address: 'phone' }, [1, 2]],
    [{ address: 'phone', exists: false }, [3, 4]],
    [{ address: 'phone', starts_with: '+43' }, [1]],
    [{ address: 'phone', in: ['+492'] }, [2]],
    [{ address: 'email', is: 'd@x' }, [4]],
    [{ not: { field: 'custom_fields.team', is: 'ops' } }, [2, 3, 4]],
    [{ not: { field: 'custom_fields.level', gt: 3 } }, [1, 3, 4]],
    [{ not: { not: { address: 'phone', is: '+431' } } }, [1]],
    [{ field: 'first_name', is: injection }, []],
    [{ field: 'first_name', contains: injection }, []],
    [{ field: `custom_fields.${injection}`, is: injection }, []],
    [{ field: 'custom_fields.team', in: [injection, '"}', '{', '\\', 'a,b', 'NULL'] }, []],
    [{ address: injection, is: injection }, []],
    [
      {
        all: [
          { field: 'custom_fields.team', is: 'ops' },
          { any: [{ field: 'email', ends_with: '@acme.test' }, { address: 'phone' }] },
          { not: { field: 'first_name', in: ['Bob'] } },
        ],
      },
      [1],
    ],
    [{ any: [{ field: 'first_name', is: 'Ann' }, { all: [{ address: 'email' }, { address: 'phone' }] }] }, [1, 2]],
  ])('%j is %j', async (audience, ids) => {
    expect(await idsOf(audience)).toEqual(ids);
  });

  it('may have 100 filters of 1,000 values', async () => {
    const values = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
    const filters = Array.from({ length: 98 }, () => ({ field: 'custom_fields.team', in: values }));
    expect(await idsOf({ any: [...filters, { field: 'first_name', is: 'Ann' }] })).toEqual([1]);
  });
});

it('passes all values as parameters', () => {
  const evil = `'; drop table users; --`;
  const { sql, values } = compileAudience(
    {
      all: [
        { field: `custom_fields.${evil}`, is: evil },
        { address: evil, contains: evil },
        { field: 'email', is: evil },
      ],
    },
    5,
  );
  expect(sql).not.toContain('drop table');
  expect(values).toHaveLength(5);
  expect(new Set(sql.match(/\$\d+/g))).toEqual(new Set(['$5', '$6', '$7', '$8', '$9']));
});

describe('the check of an audience', () => {
  const nested = (depth: number): unknown => (depth === 0 ? { address: 'phone' } : { not: nested(depth - 1) });

  it.each<[unknown, RegExp]>([
    [null, /^audience: This is not an object/],
    [[], /^audience: This is not an object/],
    [{}, /^audience: Give one of all/],
    [{ all: [], any: [] }, /^audience: Give one of all/],
    [{ all: [] }, /^audience\.all: This is not a list/],
    [{ all: [{ address: 'phone' }], is: 1 }, /^audience: Unknown key is/],
    [{ all: [{ address: 'phone' }, 'x'] }, /^audience\.all\[1\]: This is not an object/],
    [{ not: { any: [{ field: 'nothing', is: 'x' }] } }, /^audience\.not\.any\[0\]\.field: Unknown field/],
    [{ field: 'email' }, /^audience: Give an operator/],
    [{ field: 'email', is: 'a', in: ['b'] }, /^audience: Give one operator only/],
    [{ field: 'email', is: 1 }, /^audience\.is: This is not a text/],
    [{ field: 'email', gt: 1 }, /^audience: Unknown operator gt/],
    [{ field: 'email', toString: 1 }, /^audience: Unknown operator toString/],
    [{ field: 'custom_fields', exists: true }, /^audience\.field: Unknown field/],
    [{ field: 'custom_fields.', exists: true }, /^audience\.field: A path has/],
    [{ field: 'custom_fields.a..b', exists: true }, /^audience\.field: A path has/],
    [{ field: 'custom_fields.1.2.3.4.5.6.7.8.9', exists: true }, /^audience\.field: A path has/],
    [{ field: 'custom_fields.a', is: null }, /^audience\.is: This is not a text, a number/],
    [{ field: 'custom_fields.a', is: { b: 1 } }, /^audience\.is: This is not/],
    [{ field: 'custom_fields.a', in: [] }, /^audience\.in: This is not a list/],
    [{ field: 'custom_fields.a', in: [[1]] }, /^audience\.in: This is not a list/],
    [{ field: 'custom_fields.a', in: Array(1_001).fill(1) }, /^audience\.in: This is not a list/],
    [{ field: 'custom_fields.a', gt: '1' }, /^audience\.gt: This is not a number/],
    [{ field: 'custom_fields.a', exists: 'yes' }, /^audience\.exists: This is not true or false/],
    [{ field: 'first_name', is: 'a\0b' }, /^audience\.is: This is not a text/],
    [{ field: 'first_name', is: '\ud800' }, /^audience\.is: This is not a text/],
    [{ field: 'first_name', is: 'a'.repeat(1_001) }, /^audience\.is: This is not a text/],
    [{ address: '' }, /^audience\.address: This is not a text/],
    [{ address: 'phone', gt: 1 }, /^audience: Unknown operator gt/],
    [nested(8), /: Filters nest deeper than 8/],
    [{ any: Array(101).fill({ address: 'phone' }) }, /: There are more than 100 filters/],
  ])('%#', (audience, problem) => {
    expect(checkAudience(audience)).toEqual([expect.stringMatching(problem)]);
  });

  it('reports every problem', () => {
    expect(checkAudience({ all: [{ field: 'x', is: 1 }, { field: 'email' }] }, 'to')).toEqual([
      'to.all[0].field: Unknown field; there are email, first_name, last_name and custom_fields.*.',
      'to.all[0].is: This is not a text.',
      'to.all[1]: Give an operator.',
    ]);
  });

  it('allows eight levels', () => {
    expect(checkAudience(nested(7))).toEqual([]);
  });
});
