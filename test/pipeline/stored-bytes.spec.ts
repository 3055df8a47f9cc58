import { expect, it } from '@jest/globals';
import { StoredBytes } from '../../src/auth/quota/stored-bytes.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({ ROLE: 'all' }, (started) => (app = started));

const TEXT = 'x'.repeat(20_000);

it('messages count towards stored_mb as they are stored, in the record of the delivery and in the inbox', async () => {
  const tenant = await Tenant.create(app, {
    channels: [inbox('inbox')],
    lists: [{ name: 'Staff', members: ['ann@acme.test', 'bob@acme.test'] }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'inbox', text: TEXT }] }],
  });
  const usage = `select stored_bytes::int bytes from organization_usage u join organizations o on o.id = u.organization_id where slug = $1`;
  await tenant.trigger();
  const bytes = await until(20_000, async () => {
    await app.app.get(StoredBytes).write(); // as it does every few seconds
    const { rows } = await app.pool.query<{ bytes: number }>(usage, [tenant.org]);
    return (rows[0]?.bytes ?? 0) >= 4 * TEXT.length && rows[0]!.bytes;
  });
  expect(bytes).toBeLessThan(5 * TEXT.length);
});
