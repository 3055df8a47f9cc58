import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { until } from '../support/until.js';

const ACME = `
organizations:
  - slug: acme
    name: Acme
    channels: [{ slug: inbox, name: Inbox, type: inbox }]
    users:
      - { email: ann@acme.test, first_name: Ann, custom_fields: { team: ops } }
      - { email: bob@acme.test }
      - { email: eve@acme.test }
    projects:
      - slug: shop
        name: Shop
        distribution_lists: [{ name: Staff, members: [bob@acme.test] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - { name: Large, when: "total > \`100\`", audience: { field: custom_fields.team, is: ops }, templates: [{ channel: inbox, text: Hi }] }
                  - { name: Huge, when: "total > \`1000\`", distribution_list: Staff, templates: [{ channel: inbox, text: Hi }] }
                  - { name: Later, enabled: false, distribution_list: Staff, templates: [{ channel: inbox, text: Hi }] }
          - { slug: till, name: Till, events: [{ slug: closed, name: Closed }] }
`;

let app: TestApp;
let key: string;
useApp({ ROLE: 'all' }, async (started) => {
  app = started;
  await app.apply(ACME);
  key = await app.key({ org: 'acme' });
});

interface Withheld {
  occurrence: string;
  notifications: string[];
  sentence: string;
}

async function trigger(total: number, options?: object): Promise<string> {
  const answer = await app
    .as(key)
    .post('/api/o/acme/p/shop/a/web/e/paid/trigger/')
    .send({ context: { total }, options });
  const { occurrence } = answer.body as { occurrence: string };
  await until(20_000, async () => {
    const { body } = await app.as(key).get(`/api/o/acme/occurrences/${occurrence}/`);
    return (body as { done: boolean }).done;
  });
  return occurrence;
}

async function withheld(
  user: string,
  query = '',
  as = key,
): Promise<{ status: number; items: Withheld[]; next: string }> {
  const { status, body, headers } = await app.as(as).get(`/api/o/acme/u/${user}@acme.test/withheld/${query}`);
  const next = /after=([^&>]*)/.exec(headers.link ?? '')?.[1] ?? '';
  return { status, items: body as Withheld[], next };
}

it('lists what a false condition or a switched-off notification withheld from a person, and why', async () => {
  const small = await trigger(80);
  const large = await trigger(500);
  const { items: ofAnn } = await withheld('ann');
  expect(ofAnn).toEqual([
    {
      ...{ occurrence: small, triggered_at: expect.any(String), project: 'shop', application: 'web', event: 'paid' },
      notifications: ['Large'],
      sentence:
        'Ann (ann@acme.test) was not sent "Large", because the condition "total > `100`" was false with total = 80.',
    },
  ]);
  const { items: ofBob } = await withheld('bob');
  expect(ofBob.map(({ occurrence, notifications }) => [occurrence, notifications])).toEqual([
    [large, ['Huge', 'Later']],
    [small, ['Huge', 'Later']],
  ]);
  expect(ofBob[0]!.sentence).toBe(
    'bob@acme.test was not sent "Huge", because the condition "total > `1000`" was false with total = 500; was not sent "Later", because the notification was switched off.',
  );
  expect((await withheld('eve')).items).toEqual([]);
});

it('leaves out a trigger that was limited to other people', async () => {
  const limited = await trigger(1, { limit_to: ['ANN@acme.test'] });
  expect((await withheld('ann')).items[0]!.occurrence).toBe(limited);
  expect((await withheld('bob')).items.map(({ occurrence }) => occurrence)).not.toContain(limited);
});

it('has pages, and needs the permissions and the reach', async () => {
  const all = (await withheld('bob')).items;
  expect(all.length).toBeGreaterThan(1);
  const read: Withheld[] = [];
  for (let after = ''; ;) {
    const page = await withheld('bob', `?limit=1${after && `&after=${after}`}`);
    read.push(...page.items);
    if (!page.next) break;
    after = page.next;
  }
  expect(read).toEqual(all);
  expect((await withheld('bob', '?limit=1&after=x')).status).toBe(400);
  expect((await withheld('bob', '', await app.key({ org: 'acme', permissions: ['user:read'] }))).status).toBe(403);
  const till = await app.key({ org: 'acme', project: 'shop', application: 'till' });
  expect((await withheld('bob', '', till)).items).toEqual([]);
});
