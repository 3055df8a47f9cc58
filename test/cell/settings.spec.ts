import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { becomeCell, prepareDatabase } from '../../src/cell/directory/become-cell.js';
import { idRange } from '../../src/cell/directory/id-range.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';

const ALL = {
  CELL: '3',
  CELL_URL: 'http://10.0.0.5:3000/',
  CELL_SECRET: 's'.repeat(32),
  DIRECTORY_URL: 'postgresql://db.test/directory',
};

describe('the settings of a cell', () => {
  it('are none, or all of them', () => {
    expect(readConfig({}).cell).toBeNull();
    expect(readConfig(ALL).cell).toEqual({
      ...{ number: 3, url: 'http://10.0.0.5:3000', secret: ALL.CELL_SECRET, directoryUrl: ALL.DIRECTORY_URL },
    });
    const { CELL: _, ...first } = ALL;
    expect(readConfig(first).cell?.number).toBe(0);
  });

  it.each([
    [{ CELL: '1' }, /CELL without CELL_URL, CELL_SECRET, DIRECTORY_URL: set .* together/],
    [{ ...ALL, CELL_SECRET: '' }, /without CELL_SECRET/],
    [{ ...ALL, CELL_SECRET: 'short' }, /CELL_SECRET must have at least 32 characters/],
    [{ ...ALL, CELL: '16' }, /CELL must be a whole number from 0 to 15/],
    [{ ...ALL, CELL_URL: 'http://10.0.0.5:3000/api' }, /CELL_URL must end with its host or port/],
    [{ ...ALL, DIRECTORY_URL: 'http://db.test' }, /DIRECTORY_URL must be a URL that starts with postgres/],
  ])('stop the start if they are wrong: %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});

describe('a database', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  const addOrganization = async (slug: string) =>
    (await client.query<{ id: number }>(`insert into organizations (slug, name) values ($1, '') returning id`, [slug]))
      .rows[0]!.id;

  it('becomes one cell, and stays that one', async () => {
    await becomeCell(client, 5);
    await becomeCell(client, 5);
    expect(await addOrganization('a')).toBe(Number(idRange(5, 'integer').min));
    await expect(becomeCell(client, 6)).rejects.toThrow('the database is cell 5, not 6: set CELL=5');
    const config = readConfig({});
    await expect(prepareDatabase(database.url, config)).rejects.toThrow('the database is cell 5: set CELL=5 with');
  });

  it('gives out no id of another cell', async () => {
    const { max } = idRange(5, 'integer');
    await client.query(`select setval(pg_get_serial_sequence('organizations', 'id'), $1)`, [String(max)]);
    await expect(addOrganization('b')).rejects.toThrow('reached maximum value of sequence');
  });
});

it('refuses to make another cell of a database that has given out ids', async () => {
  const database = await createDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`insert into organizations (slug, name) values ('old', 'Old')`);
    await expect(becomeCell(client, 2)).rejects.toThrow(
      /cannot become cell 2: \w+ has given out the id 1, .* or CELL=0/,
    );
    await becomeCell(client, 0);
  } finally {
    await client.end();
    await database.drop();
  }
});
