import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { call, numbered, pathNames, pathOf } from '../support/contract/operations.js';
import { notFound } from '../support/contract/problems.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const get = async (path: string, headers: Record<string, string> = {}) => {
  const { status, body } = await app.as(key).get(path).set(headers);
  return [status, body as unknown];
};

const project = (url: string, slug: string, name: string) => ({
  name,
  slug,
  applications: `${url}/api/o/acme/p/${slug}/a/`,
  channels: `${url}/api/o/acme/p/${slug}/c/`,
  distribution_lists: `${url}/api/o/acme/p/${slug}/d/`,
});

const organization = (url: string) => ({
  name: 'Acme Inc',
  slug: 'acme',
  users: `${url}/api/o/acme/u/`,
  projects: `${url}/api/o/acme/p/`,
  channels: `${url}/api/o/acme/c/`,
});

it('the organization links to its users, projects and channels', async () => {
  expect(await get('/api/o/acme/')).toEqual([200, organization(app.url)]);
});

it('the projects are listed by slug', async () => {
  const projects = [project(app.url, 'depot', 'Depot'), project(app.url, 'shop', 'Shop')];
  expect(await get('/api/o/acme/p/')).toEqual([200, projects]);
});

it('a project links to its applications, channels and distribution lists', async () => {
  expect(await get('/api/o/acme/p/shop/')).toEqual([200, project(app.url, 'shop', 'Shop')]);
});

it("the organization's channels are its own, without those of its projects, and without their settings", async () => {
  const mail = { name: 'Mail', slug: 'mail', type: 'email', enabled: true };
  const quiet = { name: 'Quiet', slug: 'quiet', type: 'log', enabled: false };
  expect(await get('/api/o/acme/c/')).toEqual([200, [mail, quiet]]);
});

it("a project's channels are its own, and may be none", async () => {
  const hook = { name: 'Hook', slug: 'hook', type: 'webhook', enabled: true };
  expect(await get('/api/o/acme/p/shop/c/')).toEqual([200, [hook]]);
  expect(await get('/api/o/acme/p/depot/c/')).toEqual([200, []]);
});

it('the applications of a project link to their events', async () => {
  const till = { name: 'Till', slug: 'till', events: `${app.url}/api/o/acme/p/shop/a/till/e/` };
  const web = { name: 'Web shop', slug: 'web', events: `${app.url}/api/o/acme/p/shop/a/web/e/` };
  expect(await get('/api/o/acme/p/shop/a/')).toEqual([200, [till, web]]);
});

it.each(pathNames(numbered(2, 9, 10, 11, 12, 13)))(
  '$path answers 404 when there is no such $noun',
  async (operation) => {
    for (const missing of ['nowhere', 'ACME', 'SHOP', "' or 1=1 --"]) {
      const { status, body } = await call(app, key, operation, pathOf(operation, { [operation.name]: missing }));
      expect([missing, status, body]).toEqual([missing, 404, notFound(operation.noun)]);
    }
  },
);

describe('the links', () => {
  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'proxy.example.com' };

  it("start with the request's own host", async () => {
    const [, body] = await get('/api/o/acme/', { Host: 'notify.example.com:8080' });
    expect(body).toEqual(organization('http://notify.example.com:8080'));
  });

  it('do not believe forwarded headers', async () => {
    expect(await get('/api/o/acme/', forwarded)).toEqual([200, organization(app.url)]);
  });

  it('believe forwarded headers with TRUST_PROXY', async () => {
    const other = await TestApp.start({ TRUST_PROXY: 'true' });
    try {
      await other.apply(ACME_AND_GLOBEX);
      const agent = other.as(await other.key());
      const proxied = await agent.get('/api/o/acme/').set(forwarded);
      expect(proxied.body).toEqual(organization('https://proxy.example.com'));
      expect((await agent.get('/api/o/acme/')).body).toEqual(organization(other.url));
    } finally {
      await other.stop();
    }
  });

  describe('with PUBLIC_URL', () => {
    const url = 'https://notify.example.com/carillon';
    let other: TestApp;
    beforeAll(async () => {
      other = await TestApp.start({ PUBLIC_URL: `${url}/`, TRUST_PROXY: 'true' });
      await other.apply(ACME_AND_GLOBEX);
    });
    afterAll(() => other.stop());

    it('start with it, whatever the request says', async () => {
      const { body } = await other
        .as(await other.key())
        .get('/api/o/acme/')
        .set(forwarded);
      expect(body).toEqual(organization(url));
    });

    it('start with it in the Link header too', async () => {
      const { body, headers } = await other
        .as(await other.key())
        .get('/api/o/acme/p/?limit=1')
        .set(forwarded);
      expect(body).toEqual([project(url, 'depot', 'Depot')]);
      expect(headers.link).toBe(`<${url}/api/o/acme/p/?limit=1&after=depot>; rel="next"`);
    });
  });
});
