import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp } from '../support/app/use.js';
import { until } from '../support/until.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const ORG = '/api/o/acme';
const SHOP = `${ORG}/p/shop`;
const PAID = `${SHOP}/a/web/e/order-paid`;

let app: TestApp;
let key: string;
useApp({ QUOTA_LAYOUTS: '12' }, (started) => (app = started));
beforeEach(async () => {
  await app.empty();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});

const put = (path: string, body: object) => app.as(key).put(`${path}/`).send(body);
const errorsOf = async (path: string, body: object) => {
  const answer = await put(path, body);
  return [answer.status, (answer.body as { errors: unknown }).errors];
};
const notify = (name: string, template: object, event = PAID) =>
  app
    .as(key)
    .post(`${event}/n/`)
    .send({ name, distribution_lists: ['Staff'], templates: [{ channel: 'mail', text: 'Hi', ...template }] });
const preview = async (body: object) =>
  (await app.as(key).post(`${PAID}/preview/`).send(body)).body as { html: string; text: string };
const slugs = (list: unknown) => (list as { slug: string }[]).map(({ slug }) => slug);
const usesOf = async (path: string) =>
  ((await app.as(key).get(`${path}/uses/`)).body as { name: string }[]).map(({ name }) => name);

describe.each([
  ['layouts', ORG],
  ['layouts', SHOP],
  ['partials', ORG],
  ['partials', SHOP],
])('%s of %s', (noun, owner) => {
  const path = `${owner}/${noun}`;
  const main = { slug: 'main', html: '<b>{{ content }}</b>', text: null, mjml: null };

  it('are created, read, replaced and deleted', async () => {
    const created = await put(`${path}/main`, { html: main.html });
    expect([created.status, created.body]).toEqual([200, main]);
    expect((await app.as(key).get(`${path}/`)).body).toEqual([main]);
    expect((await put(`${path}/main`, { text: '{{ content }}' })).body).toEqual({
      ...main,
      html: null,
      text: '{{ content }}',
    });
    expect((await app.as(key).delete(`${path}/main/`)).status).toBe(204);
    expect((await app.as(key).get(`${path}/main/`)).status).toBe(404);
  });

  it('do not exist for the keys of other organizations', async () => {
    const other = await app.key({ org: 'globex' });
    expect((await app.as(other).put(`${path}/main/`).send(main)).status).toBe(404);
  });

  it('change only in the version that If-Match names', async () => {
    const ifMatch = (etag: string) => put(`${path}/main`, { text: '{{ content }}' }).set('If-Match', etag);
    expect((await ifMatch('"none"')).status).toBe(412);
    await put(`${path}/main`, { html: main.html });
    const { etag } = (await app.as(key).get(`${path}/main/`)).headers as { etag: string };
    expect((await ifMatch(etag)).status).toBe(200);
    expect((await ifMatch(etag)).status).toBe(412);
  });

  it('are listed in parts of 1 MB', async () => {
    const large = `{{ content }}${'x'.repeat(120_000)}`;
    for (let i = 0; i < 7; i++) await put(`${path}/l${i}`, { html: large, text: large });
    const list = await app.as(key).get(`${path}/?limit=12`);
    expect(slugs(list.body)).toEqual(['l0', 'l1', 'l2', 'l3', 'l4']);
    expect(list.headers.link).toMatch(/after=l4>; rel="next"$/);
    const all = await app.as(key).get(`${path}/`);
    expect(slugs(all.body)).toEqual(Array.from({ length: 7 }, (_, i) => `l${i}`));
    expect((all.body as object[])[0]).toEqual({ slug: 'l0', html: large, text: large, mjml: null });
  });
});

describe('a mistake', () => {
  it('is named by its field, with the name that was probably meant', async () => {
    await put(`${ORG}/partials/footer`, { text: 'Bye' });
    await put(`${ORG}/layouts/main`, { text: '{{ content }}' });
    expect(await errorsOf(`${ORG}/layouts/x`, { html: "{{ content }}{% render 'foter' %}" })).toEqual([
      400,
      { html: [expect.stringMatching(/^there is no partial foter: did you mean footer\?/)] },
    ]);
    expect(await errorsOf(`${ORG}/layouts/x`, { html: '<p>' })).toEqual([
      400,
      { html: ['must contain {{ content }}: the message of the template stands there'] },
    ]);
    expect(await errorsOf(`${ORG}/partials/x`, {})).toEqual([400, { html: ['needs html or text'] }]);
    expect(await errorsOf(`${ORG}/partials/x`, { text: "{{ 'bye' | t }}" })).toEqual([
      400,
      {
        text: [
          expect.stringMatching(/^uses messages, and these belong to a project: make it a partial of the project/),
        ],
      },
    ]);
    expect(await errorsOf(`${SHOP}/partials/x`, { text: "{{ 'bye' | t }}" })).toEqual([
      400,
      { text: ['uses the message bye, which the project does not have'] },
    ]);
    expect(await errorsOf(`${ORG}/partials/x`, { html: '{% if %}' })).toEqual([400, { html: [expect.any(String)] }]);
    expect((await put(`${ORG}/partials/X!`, { html: 'x' })).status).toBe(400);
    expect((await app.as(key).get(`${ORG}/layouts/%00/uses/`)).status).toBe(404);
    const { status, body } = await notify('Tell', { layout: 'man', html: "{% render 'nope' %}" });
    expect([status, body.errors]).toEqual([
      400,
      {
        'templates.mail.layout': [expect.stringMatching(/^there is no layout man: did you mean main\?/)],
        'templates.mail.html': [expect.stringMatching(/^there is no partial nope/)],
      },
    ]);
  });

  it('is a circle, also through the partials of a project', async () => {
    await put(`${ORG}/partials/a`, { text: 'a' });
    await put(`${ORG}/partials/b`, { text: "{% render 'a' %}" });
    const circle = { text: [expect.stringMatching(/^must not use itself: a > b > a|^must not use itself: b > a > b/)] };
    expect(await errorsOf(`${ORG}/partials/a`, { text: "{% render 'b' %}" })).toEqual([400, circle]);
    expect(await errorsOf(`${SHOP}/partials/a`, { text: "{% render 'b' %}" })).toEqual([400, circle]);
    expect(await errorsOf(`${ORG}/partials/a`, { text: "{% render 'a' %}" })).toEqual([
      400,
      { text: ['must not use itself: a > a'] },
    ]);
    expect((await app.as(key).get(`${ORG}/partials/a/`)).body).toMatchObject({ text: 'a' });
  });

  it('is the deletion of a partial that was in the way of a circle', async () => {
    await put(`${ORG}/partials/b`, { text: 'b' });
    await put(`${ORG}/partials/a`, { text: "{% render 'b' %}" });
    await put(`${SHOP}/partials/a`, { text: 'plain' });
    expect((await put(`${SHOP}/partials/b`, { text: "{% render 'a' %}" })).status).toBe(200);
    const refused = await app.as(key).delete(`${SHOP}/partials/a/`);
    expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
      409,
      "The partial cannot be deleted: the organization's partial of this slug would take its place, and it must not use itself: a > b > a.",
    ]);
    const prune = (partials: object[]) =>
      app
        .as(key)
        .post(`${ORG}/configuration/plan/?prune=1`)
        .send({
          projects: [
            { slug: 'shop', name: 'Shop', partials },
            { slug: 'depot', name: 'Depot' },
          ],
        });
    const answer = await prune([{ slug: 'b', text: "{% render 'a' %}" }]);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      409,
      expect.stringContaining("partial acme/shop/a cannot be deleted: the organization's partial of this slug"),
    ]);
    expect((await app.as(key).get(`${SHOP}/partials/a/`)).status).toBe(200);
    expect((await prune([])).status).toBe(200);
  });

  it('is a chain that is too long, and one more than the quota', async () => {
    for (let i = 0; i < 10; i++) await put(`${ORG}/partials/p${i}`, { text: i ? `{% render 'p${i - 1}' %}` : 'x' });
    expect(await errorsOf(`${ORG}/partials/p10`, { text: "{% render 'p9' %}" })).toEqual([
      400,
      { text: ['makes more than 10 partials use each other: use fewer'] },
    ]);
    await put(`${ORG}/partials/more`, { text: 'x' });
    await put(`${ORG}/layouts/more`, { text: '{{ content }}' });
    expect(await errorsOf(`${SHOP}/layouts/x`, { text: '{{ content }}' })).toEqual([
      400,
      { slug: [expect.stringMatching(/^exceeds the organization's quota layouts, which is 12/)] },
    ]);
  });
});

it("hides the organization's layout with the project's own, and shows it again when that is deleted", async () => {
  await put(`${ORG}/layouts/main`, { html: 'org {{ content }}' });
  expect((await notify('Tell', { html: 'x', layout: 'main' })).status).toBe(201);
  const draft = { html: 'x', layout: 'main' };
  expect((await preview(draft)).html).toBe('org x');
  expect(await usesOf(`${ORG}/layouts/main`)).toEqual(['Tell']);
  await put(`${SHOP}/layouts/main`, { html: 'shop {{ content }}' });
  expect((await preview(draft)).html).toBe('shop x');
  expect([await usesOf(`${ORG}/layouts/main`), await usesOf(`${SHOP}/layouts/main`)]).toEqual([[], ['Tell']]);
  expect((await app.as(key).delete(`${ORG}/layouts/main/`)).status).toBe(204);
  expect((await app.as(key).delete(`${SHOP}/layouts/main/`)).status).toBe(409);
  await put(`${ORG}/layouts/main`, { html: 'org {{ content }}' });
  expect((await app.as(key).delete(`${SHOP}/layouts/main/`)).status).toBe(204);
  expect((await preview(draft)).html).toBe('org x');
});

it('previews a draft of a layout and of a partial with the template of a notification', async () => {
  await put(`${ORG}/partials/end`, { html: 'stored' });
  const body = { markdown: '**x**', layout: 'main', layout_draft: { html: "<i>{{ content }}{% render 'end' %}</i>" } };
  expect((await preview(body)).html).toBe('<i><p><strong>x</strong></p>\nstored</i>');
  expect((await preview({ ...body, partial_drafts: { end: { html: 'draft' } } })).html).toMatch(/draft<\/i>$/);
  const { status, body: wrong } = await app
    .as(key)
    .post(`${PAID}/preview/`)
    .send({ ...body, layout_draft: { html: '<i>' } });
  expect([status, wrong.errors]).toEqual([400, { 'layout_draft.html': [expect.stringMatching(/^must contain/)] }]);
});

it('previews a draft of a layout with the brand, also without partials', async () => {
  await app.as(key).patch(`${ORG}/settings/`).send({ color: '#123456' });
  const layout_draft = { html: '{{ brand.color }} {{ content }}' };
  expect((await preview({ html: 'x', layout_draft })).html).toBe('#123456 x');
});

it('hands the content to a partial', async () => {
  await put(`${ORG}/partials/frame`, { html: '<td>{{ body }}</td>' });
  expect((await put(`${ORG}/layouts/main`, { html: "{% render 'frame', body: content %}" })).status).toBe(200);
  expect((await preview({ html: '<b>x</b>', layout: 'main' })).html).toBe('<td><b>x</b></td>');
  const wrong = ["{% render 'frame', content: 1 %}", '{{ page.content }}', "{{ 'content' }}", 'content'];
  for (const html of wrong) expect((await put(`${ORG}/layouts/main`, { html })).status).toBe(400);
});

it('replaces the built-in layout in the version that was read', async () => {
  const { etag } = (await app.as(key).get(`${ORG}/layouts/default/`)).headers as { etag: string };
  const replace = () => put(`${ORG}/layouts/default`, { text: '{{ content }}' }).set('If-Match', etag);
  expect([(await replace()).status, (await replace()).status]).toEqual([200, 412]);
});

describe('a change that too many events use', () => {
  const INSERT = `
    with event as (
      insert into events (organization_id, application_id, slug, name)
      select e.organization_id, e.application_id, 'many' || i, 'Many'
      from events e join organizations o on o.id = e.organization_id, generate_series(1, 2001) i
      where o.slug = 'acme' and e.slug = 'order-paid' returning id, organization_id
    ), notification as (
      insert into notifications (organization_id, event_id, name) select organization_id, id, 'Tell' from event
      returning id, organization_id
    )
    insert into templates (organization_id, notification_id, channel_id, text, layout)
    select n.organization_id, n.id, (select min(c.id) from channels c where c.organization_id = n.organization_id), 'x', 'main'
    from notification n`;

  it('is refused with the way to do it, for a layout and for the brand', async () => {
    await put(`${ORG}/layouts/main`, { text: '{{ content }}' });
    await app.pool.query(INSERT);
    const way = /would renew more than 2000 events[^]*carillon apply/;
    const changed = { text: '{{ content }}!' };
    const layout = await put(`${ORG}/layouts/main`, changed);
    expect([layout.status, (layout.body as { detail: string }).detail]).toEqual([409, expect.stringMatching(way)]);
    const brand = await app.as(key).patch(`${ORG}/settings/`).send({ color: '#123456' });
    expect([brand.status, (brand.body as { detail: string }).detail]).toEqual([409, expect.stringMatching(way)]);
  });
});

describe('a file', () => {
  const fileOf = (lists: object, more: object = {}) =>
    JSON.stringify({ organizations: [{ slug: 'acme', name: 'Acme Inc', ...lists, ...more }] });
  const layouts = [{ slug: 'main', html: "{{ content }}{% render 'end' %}" }];
  const partials = [
    { slug: 'end', html: "<p>{% render 'inner' %}</p>" },
    { slug: 'inner', html: 'Bye' },
  ];
  const events = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      slug: `e${i}`,
      name: `E${i}`,
      notifications: [
        {
          name: `N${i}`,
          distribution_list: 'Staff',
          templates: [{ channel: 'mail', text: 'Hi', html: '<p>Hi</p>', layout: 'main' }],
        },
      ],
    }));
  const projects = (count: number) => [
    { slug: 'shop', name: 'Shop', applications: [{ slug: 'web', name: 'Web', events: events(count) }] },
  ];

  it('plans a change of a layout with every notification that it touches', async () => {
    await app.apply(fileOf({ layouts, partials, projects: projects(40) }));
    const changed = fileOf({ layouts, partials: [partials[0], { slug: 'inner', html: 'Ciao' }] });
    const { stdout } = await cli(['apply', 'FILE', '--dry-run'], { DATABASE_URL: app.databaseUrl }, changed);
    expect(stdout).toContain('update partial acme/inner\n    html: Bye -> Ciao\n    changes 40 notifications:\n');
    for (let i = 0; i < 40; i++) expect(stdout).toContain(`shop/web/e${i}/N${i}\n`);
    const plan = await app.as(key).post(`${ORG}/configuration/plan/`).send(JSON.parse(changed).organizations[0]);
    expect(plan.body.changes[0].touches).toHaveLength(40);
    expect(await usesOf(`${ORG}/partials/inner`)).toHaveLength(40);
  });

  it('brings a layout of a project together with the messages that it uses, and takes both away', async () => {
    const shop = (messages: object, text: string) =>
      fileOf({ projects: [{ slug: 'shop', name: 'Shop', messages, layouts: [{ slug: 'main', text }] }] });
    await app.apply(shop({ en: { bye: 'Bye' } }, "{{ content }} {{ 'bye' | t }}"));
    await notify('Tell', { layout: 'main' });
    expect((await preview({ text: 'x', layout: 'main' })).text).toBe('x Bye');
    const { body } = await app.as(key).get(`${ORG}/configuration/`);
    const plan = await app.as(key).post(`${ORG}/configuration/plan/?prune=1`).send(body);
    expect(plan.body.changes).toEqual([]);
    await app.apply(shop({ en: { ciao: 'Ciao' } }, "{{ content }} {{ 'ciao' | t }}"));
    expect((await app.as(key).get(`${SHOP}/messages/`)).body).toEqual({ messages: { en: { ciao: 'Ciao' } } });
    expect((await preview({ text: 'x', layout: 'main' })).text).toBe('x Ciao');
  });

  it('is exported as it was applied', async () => {
    await app.apply(fileOf({ layouts, partials, projects: projects(1) }));
    const { body } = await app.as(key).get(`${ORG}/configuration/`);
    expect(body).toMatchObject({ layouts, partials: partials.toReversed() });
    const again = await app.as(key).post(`${ORG}/configuration/plan/?prune=1`).send({ layouts, partials });
    expect(again.body.changes).toEqual([]);
  });

  it('deletes those that it does not list with --prune, unless they are used', async () => {
    await app.apply(fileOf({ layouts, partials, projects: projects(1) }));
    const prune = (file: string) => cli(['apply', 'FILE', '--prune', '--yes'], { DATABASE_URL: app.databaseUrl }, file);
    const { stderr } = await prune(fileOf({ layouts: [], partials: [] }));
    expect(stderr).toContain('layout acme/main cannot be deleted: the notification N0 uses it.');
    const shop = { slug: 'shop', name: 'Shop', applications: [{ slug: 'web', name: 'Web', events: [] }] };
    const depot = { slug: 'depot', name: 'Depot' };
    const { stdout } = await prune(fileOf({ layouts: [], partials: [], projects: [shop, depot] }));
    expect(stdout).toMatch(/delete layout acme\/main[^]*delete partial acme\/inner[^]*delete partial acme\/end/);
  });

  it('waits for a notification that starts to use a layout before it deletes the layout', async () => {
    await put(`${ORG}/layouts/main`, { text: '{{ content }}' });
    const holder = await app.pool.connect();
    await holder.query('begin');
    await holder.query(`select from channels where slug = 'mail' for update`);
    const isWaiting = (count: number) => async () => {
      const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await app.pool.query(sql)).rowCount === count;
    };
    const notified = notify('Tell', { layout: 'main' }).then(({ status }) => status);
    await until(5000, isWaiting(1));
    const file = fileOf({ layouts: [] });
    const pruned = cli(['apply', 'FILE', '--prune', '--yes'], { DATABASE_URL: app.databaseUrl }, file);
    await Promise.race([until(5000, isWaiting(2)), pruned]);
    await holder.query('rollback');
    holder.release();
    expect(await notified).toBe(201);
    expect((await pruned).stderr).toContain('layout acme/main cannot be deleted: the notification Tell uses it.');
  });
});
