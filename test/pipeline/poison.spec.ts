import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { Renderer } from '../../src/rules/render/renderer.js';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, queueIsEmpty, webhook } from '../support/world/tenant.js';
import type { DeliveryRow } from '../support/world/tenant.js';

let app: TestApp;
let sink: HttpSink;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  sink = await HttpSink.start();
});
afterAll(async () => {
  await app.stop();
  await sink.close();
});

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const LOOP =
  '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}';
const BLOAT = '{% assign s = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}';

/** A rule that tells Ann and Bob over the webhook. */
const rule = (name: string, text: string, when?: string): NotificationEntry => ({
  name,
  when,
  distribution_list: 'Staff',
  templates: [{ channel: 'hook', text }],
});

const tenantWith = (...notifications: NotificationEntry[]) =>
  Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    users: [
      { email: ANN, custom_fields: { code: 'YWJj' } },
      { email: BOB, custom_fields: { code: 'not base64!' } },
    ],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications,
  });

interface Arrival {
  occurrence: string;
  user: string;
  text: string;
}

const arrivals = (occurrence: string) =>
  sink.requests
    .map(({ body }) => (JSON.parse(body) as { data: Arrival }).data)
    .filter((data) => data.occurrence === occurrence)
    .map(({ user, text }) => `${user}: ${text}`)
    .sort();

const fates = (deliveries: DeliveryRow[]) =>
  deliveries.map(({ notification, user, status, reason }) => [notification, user, status, reason]);

/** Pings until the work is done; answers how much of its time the slowest ping took. */
async function slowestPingDuring<T>(key: string, work: Promise<T>): Promise<{ result: T; share: number }> {
  const workStart = performance.now();
  let done = false;
  let slowestMs = 0;
  const pings = until(60_000, async () => {
    const start = performance.now();
    const { status } = await app.as(key).get('/api/system/ping/');
    slowestMs = Math.max(slowestMs, performance.now() - start);
    expect(status).toBe(200);
    return done;
  });
  const result = await work.finally(() => (done = true));
  await pings;
  return { result, share: slowestMs / (performance.now() - workStart) };
}

describe('a rule that cannot be carried out', () => {
  it('costs its own messages only: its neighbours, other tenants and the API do not notice', async () => {
    const bad = await tenantWith(
      rule('1 loops', LOOP),
      rule('2 bloats', BLOAT),
      rule('3 breaks on the context', 'code {{ code | base64_decode }}'),
      rule('4 breaks on Bob', 'code {{ user.custom_fields.code | base64_decode }}'),
      rule('5 has a condition that fails', 'hi', 'length(code) > `0` && length(total) > `0`'),
      rule('6 is fine', 'fine {{ total }}'),
    );
    const good = await tenantWith(rule('Tell', 'good'));
    const occurrence = await bad.trigger({ total: 7, code: 'not base64!' });
    const others = [await good.trigger(), await good.trigger()];
    const work = Promise.all([bad.settled(occurrence), ...others.map((other) => good.settled(other))]);
    const { result, share } = await slowestPingDuring(good.key, work);

    const failed = (words: RegExp) => expect.stringMatching(words) as unknown as string;
    const broken = failed(/^the template failed: .*base64/i);
    expect(fates(result[0])).toEqual([
      ['1 loops', ANN, 'dead', 'the template failed: The template took too long.'],
      ['1 loops', BOB, 'dead', 'the template failed: The template took too long.'],
      ['2 bloats', ANN, 'dead', failed(/^the template failed: The template used too much memory\.$/)],
      ['2 bloats', BOB, 'dead', failed(/^the template failed: The template used too much memory\.$/)],
      ['3 breaks on the context', ANN, 'dead', broken],
      ['3 breaks on the context', BOB, 'dead', broken],
      ['4 breaks on Bob', ANN, 'sent', null],
      ['4 breaks on Bob', BOB, 'dead', broken],
      ['5 has a condition that fails', ANN, 'dead', 'the condition of the rule failed: length() cannot take number.'],
      ['5 has a condition that fails', BOB, 'dead', 'the condition of the rule failed: length() cannot take number.'],
      ['6 is fine', ANN, 'sent', null],
      ['6 is fine', BOB, 'sent', null],
    ]);
    expect(arrivals(occurrence)).toEqual([`${ANN}: code abc`, `${ANN}: fine 7`, `${BOB}: fine 7`]);
    for (const other of others) expect(arrivals(other)).toEqual([`${ANN}: good`, `${BOB}: good`]);
    // In our own process, each template would have taken its time of the pings: four of them nearly all there is.
    expect(share).toBeLessThan(0.25);
    await queueIsEmpty(app);
  });

  it('is not tried again: a template that loops is dead once and for all, and the next occurrence goes on', async () => {
    const tenant = await tenantWith(rule('1 loops', LOOP), rule('2 is fine', 'fine'));
    const first = await tenant.trigger();
    await tenant.settled(first);
    await queueIsEmpty(app);
    expect((await tenant.deliveries(first)).map(({ attempts }) => attempts)).toEqual([0, 0, 1, 1]);
    // No provider was asked, so nothing was attempted.
    expect(await tenant.attempts(first)).toHaveLength(2);
    const second = await tenant.trigger();
    expect((await tenant.settled(second)).map(({ status }) => status)).toEqual(['dead', 'dead', 'sent', 'sent']);
    expect(arrivals(second)).toEqual([`${ANN}: fine`, `${BOB}: fine`]);
    await queueIsEmpty(app);
  });

  it('does not keep its neighbours waiting when it writes a character that no database stores', async () => {
    const tenant = await Tenant.create(app, {
      channels: [inbox('inbox')],
      users: [
        { email: ANN, custom_fields: { code: 'A' } },
        { email: BOB, custom_fields: { code: '%00' } },
      ],
      lists: [{ name: 'Staff', members: [ANN, BOB] }],
      notifications: [
        {
          name: 'Tell',
          distribution_list: 'Staff',
          templates: [{ channel: 'inbox', text: 'code {{ user.custom_fields.code | url_decode }}.' }],
        },
      ],
    });
    const deliveries = await tenant.settled(await tenant.trigger());
    expect(deliveries[0]).toMatchObject({ user: ANN, status: 'sent' });
    await queueIsEmpty(app);
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${ANN}/inbox/`);
    expect(body).toMatchObject([{ text: 'code A.' }]);
  });
});

/** As if each page of messages took six seconds to render. A worker works for five seconds at a time. */
function makeRenderingSlow(): void {
  const [now, render] = [Date.now, Renderer.prototype.render];
  let pages = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + pages * 6_000);
  jest.spyOn(Renderer.prototype, 'render').mockImplementation(async function (this: Renderer, ...messages) {
    const results = await render.apply(this, messages);
    pages += 1;
    return results;
  });
}

it('messages that take longer to render than a worker has at a time are sent all the same', async () => {
  const members = Array.from({ length: 60 }, (_, i) => `u${i}@acme.test`);
  const tenant = await Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    lists: [{ name: 'Staff', members }],
    notifications: [{ name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'slow' }] }],
  });
  makeRenderingSlow();
  const deliveries = await tenant.settled(await tenant.trigger(), 60_000);
  expect(deliveries.map(({ status }) => status)).toEqual(members.map(() => 'sent'));
});
