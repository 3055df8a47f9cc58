import { WAIT_FOR_WRITES } from '../../src/cell/directory/freeze.sql.js';
import type { TestApp } from '../support/app/app.js';
import type { TestCells } from '../support/app/cells.js';

/** An organization with one person, whom an event reaches in-app. */
export const organization = (slug: string) => `
organizations:
  - slug: ${slug}
    name: ${slug}
    channels: [{ slug: app, name: App, type: inbox }]
    users: [{ email: ann@${slug}.test }]
    projects:
      - slug: shop
        name: Shop
        distribution_lists: [{ name: Staff, members: [ann@${slug}.test] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - { name: Tell, distribution_list: Staff, templates: [{ channel: app, subject: Paid, text: Hi }] }
`;

export const inboxOf = (slug: string) => `/api/o/${slug}/u/ann@${slug}.test/inbox/`;
export const triggerOf = (slug: string) => `/api/o/${slug}/p/shop/a/web/e/paid/trigger/`;

/** Acme lives in the first cell, Globex in the second. Returns their keys. */
export async function settleAcmeAndGlobex(cells: TestCells): Promise<{ acme: string; globex: string }> {
  const [first, second] = cells.apps as [TestApp, TestApp];
  await first.apply(organization('acme'));
  await second.apply(organization('globex'));
  await cells.settle();
  return { acme: await first.key({ org: 'acme' }), globex: await second.key({ org: 'globex' }) };
}

/** Whether no request writes to the organization any more, after it was frozen. */
export async function isQuiet({ pool }: TestApp, organizationId: number): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local lock_timeout = '10ms'`);
    return await client.query(WAIT_FOR_WRITES, [organizationId]).then(
      () => true,
      () => false,
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
}
