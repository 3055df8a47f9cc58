import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const server = (): string => {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('run the tests with `npm test`: it starts the PostgreSQL they need');
  return url;
};

async function admin(sql: string): Promise<void> {
  const client = new Client({ connectionString: server() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const urlOf = (name: string) => server().replace(/\/[^/]*$/, `/${name}`);

/** A database of its own for a test file, migrated. `template0` gives an empty one. */
export async function createDatabase(template = 'template_carillon'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await admin(`create database ${name} template ${template}`);
  return { url: urlOf(name), drop: () => admin(`drop database ${name} with (force)`) };
}
