import { expect } from '@jest/globals';
import type { TestApp } from '../app/app.js';
import type { Tenant } from './tenant.js';

export type Item = Record<string, unknown> & { id: string | number };

/** Reads what the API shows of tenants. Paths are those below the tenant's organization. */
export class Reader {
  constructor(private readonly app: TestApp) {}

  ask(tenant: Tenant, path: string, key = tenant.key) {
    return this.app.as(key).get(`/api/o/${tenant.org}/${path}`);
  }

  async one(tenant: Tenant, path: string): Promise<Item> {
    const { status, body } = await this.ask(tenant, path);
    expect({ path, status, body: body as unknown }).toMatchObject({ path, status: 200 });
    return body as Item;
  }

  async list(tenant: Tenant, path: string): Promise<Item[]> {
    return (await this.one(tenant, path)) as unknown as Item[];
  }

  /** The list, which is the same whole, by ones and by twos. */
  async pagedList(tenant: Tenant, path: string): Promise<Item[]> {
    const all = await this.list(tenant, path);
    expect(await this.pages(tenant, path, 1)).toEqual(all.length === 0 ? [[]] : all.map((item) => [item]));
    const byTwos = await this.pages(tenant, path, 2);
    expect(byTwos.flat()).toEqual(all);
    expect(byTwos.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
    return all;
  }

  /** As the `Link` headers lead from one page to the next. */
  private async pages(tenant: Tenant, path: string, limit: number): Promise<Item[][]> {
    const pages: Item[][] = [];
    let next: string | undefined = `/api/o/${tenant.org}/${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    while (next) {
      const { status, body, headers } = await this.app.as(tenant.key).get(next);
      expect(status).toBe(200);
      expect(pages.push(body as Item[])).toBeLessThan(100);
      next = headers.link?.match(/^<([^<>]+)>; rel="next"$/)?.[1]?.slice(this.app.url.length);
    }
    return pages;
  }
}
