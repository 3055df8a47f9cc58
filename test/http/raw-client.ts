import { expect } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { invalid } from '../support/contract/problems.js';

export interface Answer {
  status: number;
  body: { errors?: Record<string, string[]> };
}

type Headers = Record<string, string>;

/** Sends bodies byte by byte as they are given, and sees to it that what is refused left nothing behind. */
export class RawClient {
  constructor(
    private readonly app: TestApp,
    private readonly key: string,
  ) {}

  async send(path: string, body: RequestInit['body'], headers: Headers = {}, method = 'POST'): Promise<Answer> {
    const common = { Authorization: `Key ${this.key}`, 'Content-Type': 'application/json' };
    const init = { method, headers: { ...common, ...headers }, body, duplex: 'half' as const };
    const response = await fetch(this.app.url + path, init);
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  json(path: string, value: unknown, method?: string): Promise<Answer> {
    return this.send(path, JSON.stringify(value), {}, method);
  }

  async expectRefused(request: () => Promise<Answer>, status: number, body: unknown): Promise<void> {
    const before = await this.contents();
    const answer = await request();
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(await this.contents()).toEqual(before);
  }

  /** Refused with a 400 that names these fields and no other. */
  expectNamed(request: () => Promise<Answer>, ...fields: string[]): Promise<void> {
    const sentences = expect.arrayContaining([expect.any(String)]) as unknown as string[];
    return this.expectRefused(request, 400, {
      ...invalid(Object.fromEntries(fields.map((field) => [field, sentences]))),
      detail: expect.stringContaining(fields[0]!),
    });
  }

  /** Everything there is that a request could have added to or changed. */
  private async contents(): Promise<unknown> {
    const tables = ['users', 'addresses', 'distribution_lists', 'members', 'occurrences', 'idempotency_keys'];
    const all = [...tables, 'jobs'].map(
      (table) => `(select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from ${table} t)`,
    );
    return (await this.app.pool.query(`select ${all.join(' || ')} contents`)).rows[0];
  }
}
