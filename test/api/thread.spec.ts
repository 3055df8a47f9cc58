import { describe, expect, it } from '@jest/globals';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const RULES = '/api/o/acme/p/shop/a/web/e/order-paid/n/';

let count = 0;
async function created(more: object = {}) {
  const body = {
    name: `With a thread ${++count}`,
    distribution_lists: ['Staff'],
    templates: [{ channel: 'mail', text: 'Hi' }],
    ...more,
  };
  const answer = await app.as(key).post(RULES).send(body);
  return { status: answer.status, body: answer.body as { id: number; thread: unknown; errors: unknown } };
}

const patch = (id: number, body: object) => app.as(key).patch(`${RULES}${id}/`).send(body);

async function exported(): Promise<string> {
  let text = '';
  for await (const part of app.app.get(ExportService).organization('acme', { people: true })) text += part;
  return text;
}

const apply = (text: string) => app.app.get(ProvisioningService).apply(text, {});

describe('the event whose steps an event ends', () => {
  it('is read from a file, also if it comes later in it, exported, and must exist', async () => {
    const before = await exported();
    const text = before.replace(
      /( +)(- slug: order-paid\n)/,
      '$1- slug: resolved\n$1  name: Resolved\n$1  resolves_event: order-paid\n$1$2',
    );
    expect(await apply(text)).toEqual([expect.objectContaining({ verb: 'create', noun: 'event' })]);
    expect(await exported()).toContain('resolves_event: order-paid');
    expect(await apply(await exported())).toEqual([]);
    await expect(apply(text.replace('resolves_event: order-paid', 'resolves_event: other'))).rejects.toThrow(
      /^line \d+: .*resolves_event: there is no event other in the application/,
    );
  });
});

const PROBLEM = 'must be a field of the context, such as order.id, of at most 200 characters';

describe('the thread of a notification', () => {
  it('is stored, shown, changed and removed', async () => {
    const { body } = await created({ thread: 'order.id' });
    expect(body.thread).toBe('order.id');
    expect((await app.as(key).get(`${RULES}${body.id}/`)).body).toMatchObject({ thread: 'order.id' });
    expect((await patch(body.id, { thread: 'incident_id' })).body).toMatchObject({ thread: 'incident_id' });
    expect((await patch(body.id, { enabled: false })).body).toMatchObject({ thread: 'incident_id' });
    expect((await patch(body.id, { thread: null })).body).toMatchObject({ thread: null });
  });

  it('is null unless it is given', async () => {
    expect((await created()).body.thread).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['with a space', 'order id'],
    ['with an empty name', 'order..id'],
    ['that begins with a dot', '.id'],
    ['too long', 'x'.repeat(201)],
    ['a number', 7],
    ['a map', { field: 'order.id' }],
  ])('is refused if it is a field %s', async (_, thread) => {
    const { status, body } = await created({ thread });
    expect([status, body.errors]).toEqual([400, { thread: [PROBLEM] }]);
  });

  it('is refused in a file, too, with the place', async () => {
    await created({ thread: 'refused.id' });
    const text = (await exported()).replace('thread: refused.id', 'thread: refused id');
    await expect(apply(text)).rejects.toThrow(/^line \d+: .*\.thread: must match pattern/);
  });

  it('is shown in the history of the event', async () => {
    const { body } = await created({ thread: 'order.id' });
    const answer = await app.as(key).get(RULES.replace('/n/', '/revisions/')).query({ limit: 1 });
    const [revision] = answer.body as { changes: { notification: number; rule: { thread: unknown } }[] }[];
    const change = revision!.changes.find(({ notification }) => notification === body.id);
    expect(change!.rule.thread).toBe('order.id');
  });

  it('is exported, and read back without a change; a plan shows what changes', async () => {
    await created({ thread: 'exported.id' });
    const text = await exported();
    expect(text).toContain('thread: exported.id');
    expect(await apply(text)).toEqual([]);
    const changes = await apply(text.replace('thread: exported.id', 'thread: changed.id'));
    const differences = changes.flatMap((change) => ('differences' in change ? change.differences : []));
    expect(differences).toEqual([{ field: 'thread', before: 'exported.id', after: 'changed.id' }]);
    await apply((await exported()).replace(/ *thread: changed.id\n/, ''));
    expect(await exported()).not.toContain('changed.id');
  });
});
