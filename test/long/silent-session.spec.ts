import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtInText } from '../../src/dispatcher/provider/built-in.js';
import { TestApp } from '../support/app/app.js';
import { APPLE_KEY, FakeApplePush } from '../support/providers/apple-push.js';
import { SilentProxy } from '../support/sinks/silent-proxy.js';
import { Tenant } from '../support/world/tenant.js';

// By the clock, with the limits of the service: what `npm run check` leaves to this run.

const MOST_MS = 15_000;

let app: TestApp;
let apple: FakeApplePush;
let proxy: SilentProxy;
let folder: string;
beforeAll(async () => {
  apple = await FakeApplePush.start();
  proxy = await SilentProxy.start(Number(new URL(apple.origin).port));
  folder = mkdtempSync(join(tmpdir(), 'carillon-silent-'));
  const text = builtInText('apns').replaceAll('https://api.push.apple.com', `http://127.0.0.1:${proxy.port}`);
  writeFileSync(join(folder, 'apns_here.yaml'), text.replace(/^type: \w+/, 'type: apns_here'));
  app = await TestApp.start({ ROLE: 'all', PROVIDERS_DIR: folder });
});
afterAll(async () => {
  await app.stop();
  await proxy.close();
  await apple.close();
  rmSync(folder, { recursive: true });
});

it('a message over a session that died without a word arrives within 15 seconds, over another one', async () => {
  const tenant = await Tenant.create(app, {
    channels: [{ slug: 'push', name: 'Push', type: 'apns_here', config: { ...APPLE_KEY, environment: 'production' } }],
    users: [{ email: 'ann@acme.test', addresses: [{ name: 'apns', value: '00fc13ad' }] }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'push', subject: 'Paid', text: '{{ text }}' }],
      },
    ],
  });
  await tenant.settled(await tenant.trigger({ text: 'one' }));
  expect(proxy.connections).toBe(1);
  proxy.silence();
  const triggeredAt = performance.now();
  const occurrence = await tenant.trigger({ text: 'two' });
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }]);
  const ms = performance.now() - triggeredAt;
  process.stdout.write(`trigger to arrival over a dead session: ${(ms / 1000).toFixed(1)} s\n`);
  expect(ms).toBeLessThan(MOST_MS);
  expect(proxy.connections).toBe(2);
  expect(apple.shown.map(({ payload }) => payload.aps.alert.body)).toEqual(['one', 'two']);
  // It was sent again at once, and not by a later attempt.
  expect(await tenant.attempts(occurrence)).toHaveLength(1);
});
