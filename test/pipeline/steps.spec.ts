import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { openSteps, passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

type Steps = { channels: string[]; after?: string; unless?: 'sent' | 'delivered' | 'seen' | 'read' }[];

const TWO: Steps = [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['hook'] }];

const tenantOf = (steps: Steps | undefined, more: object = {}) =>
  Tenant.create(app, {
    channels: [inbox('app'), webhook('hook', hooks.url('/hook')), webhook('last', hooks.url('/last'))],
    users: [ANN, BOB].map((email) => ({ email })),
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        steps,
        templates: ['app', 'hook', 'last']
          .filter((slug) => !steps || steps.some(({ channels }) => channels.includes(slug)))
          .map((channel) => ({ channel, text: 'Hi {{ user.email }}' })),
        ...more,
      },
    ],
  });

const sent = async (tenant: Tenant, id: string) =>
  (await tenant.deliveries(id)).map(({ channel, user, status, gate }) => `${channel} ${user!.split('@')[0]!} ${gate ?? status}`);

/** The user has read the message in the inbox. */
const read = (occurrence: string, user: string) =>
  app.pool.query(
    `update inbox_messages set seen_at = now(), read_at = now()
     where delivery_id in (select d.id from deliveries d join users u on u.id = d.user_id where d.occurrence_id = $1 and u.email = $2)`,
    [occurrence, user],
  );

describe('a later step', () => {
  it('follows for those who have not read the message of the first', async () => {
    const tenant = await tenantOf(TWO);
    const id = await tenant.trigger();
    await quiet(app.pool, id);
    expect(await sent(tenant, id)).toEqual(['app ann sent', 'app bob sent']);
    expect(await openSteps(app, id)).toHaveLength(1);
    await passMinutes(app, id, 9);
    await read(id, ANN);
    expect(await sent(tenant, id)).toHaveLength(2);
    await passMinutes(app, id, 1);
    expect(await sent(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook bob sent']);
    expect(await openSteps(app, id)).toBeNull();
    expect(hooks.requests).toHaveLength(1);
  });
});
