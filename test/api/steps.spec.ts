import { describe, expect, it } from '@jest/globals';
import { ExportService } from '../../src/operate/provisioning/export/export.service.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const RULES = '/api/o/acme/p/shop/a/web/e/order-paid/n/';
const TEMPLATES = ['mail', 'hook'].map((channel) => ({ channel, text: 'Hi', per: 'person' }));
const STEPS = [
  { channels: ['hook'] },
  { after: '600s', unless: 'sent', channels: ['mail'], repeat: { every: 900, times: 4 } },
];
const STORED = [
  { channels: ['hook'] },
  { after: '10m', unless: 'sent', channels: ['mail'], repeat: { every: '15m', times: 4 } },
];

let count = 0;
async function created(more: object = {}) {
  const body = {
    name: `In steps ${++count}`,
    distribution_lists: ['Staff'],
    templates: TEMPLATES,
    steps: STEPS,
    ...more,
  };
  const answer = await app.as(key).post(RULES).send(body);
  return { status: answer.status, body: answer.body as { id: number; steps: unknown; errors: unknown } };
}

const errorsOf = async (more: object) => {
  const { status, body } = await created(more);
  expect(status).toBe(400);
  return body.errors;
};

const patch = (id: number, body: object) => app.as(key).patch(`${RULES}${id}/`).send(body);

async function exported(): Promise<string> {
  let text = '';
  for await (const part of app.app.get(ExportService).organization('acme', { people: true })) text += part;
  return text;
}

const apply = (text: string) => app.app.get(ProvisioningService).apply(text, {});

describe('acknowledge of a notification', () => {
  const each = { by: 'each' };

  it('is stored, shown and removed, also together with the steps', async () => {
    const { body } = await created({ acknowledge: each });
    expect(body).toMatchObject({ acknowledge: each });
    expect((await app.as(key).get(`${RULES}${body.id}/`)).body).toMatchObject({ acknowledge: each });
    expect((await patch(body.id, { enabled: false })).body).toMatchObject({ acknowledge: each });
    expect((await patch(body.id, { acknowledge: null })).body).toMatchObject({ acknowledge: null });
    expect((await patch(body.id, { acknowledge: { for: 14400 } })).body).toMatchObject({
      acknowledge: { by: 'anyone', for: '4h' },
    });
    expect((await patch(body.id, { steps: null })).body).toMatchObject({ steps: null, acknowledge: null });
  });

  it.each<[string, object, object]>([
    [
      'not an object',
      { acknowledge: 'each' },
      { acknowledge: ['must be an object such as { "by": "anyone", "for": "4h" }'] },
    ],
    ['for no time', { acknowledge: { for: '59s' } }, { 'acknowledge.for': ['must be at least 1m'] }],
    ['without by', { acknowledge: {} }, { 'acknowledge.by': ['must be one of anyone, each'] }],
    [
      'with more',
      { acknowledge: { by: 'all', for: '31d', until: 'resolved' } },
      {
        'acknowledge.until': ['is not a known field. Known: by, for'],
        'acknowledge.for': ['must be a duration from 1s to 30d, such as 15m, 2h or 1d'],
        'acknowledge.by': ['must be one of anyone, each'],
      },
    ],
    [
      'without steps',
      { acknowledge: each, steps: undefined },
      { acknowledge: ['needs steps: add some, or set it to null'] },
    ],
  ])('is refused %s', async (_, more, errors) => {
    expect(await errorsOf(more)).toEqual(errors);
  });

  it('is exported and read back without a change, and shown in the history', async () => {
    const { body } = await created({ name: 'Acknowledged', acknowledge: each });
    const answer = await app.as(key).get(RULES.replace('/n/', '/revisions/')).query({ limit: 1 });
    const [revision] = answer.body as { changes: { notification: number; rule: object }[] }[];
    expect(revision!.changes.find(({ notification }) => notification === body.id)!.rule).toMatchObject({
      acknowledge: each,
    });
    const text = await exported();
    expect(await apply(text)).toEqual([]);
    const changes = await apply(text.replace('by: each', 'by: anyone'));
    expect(changes.flatMap((change) => ('differences' in change ? change.differences : []))).toEqual([
      { field: 'acknowledge', before: each, after: { by: 'anyone' } },
    ]);
    await app.as(key).delete(`${RULES}${body.id}/`);
  });
});

describe('the steps of a notification', () => {
  it('are stored, shown, changed and removed', async () => {
    const { body } = await created();
    expect(body.steps).toEqual(STORED);
    expect((await app.as(key).get(`${RULES}${body.id}/`)).body).toMatchObject({ steps: STORED });
    const other = [{ channels: ['mail'] }, { after: '2d', channels: ['hook'] }];
    expect((await patch(body.id, { steps: other })).body).toMatchObject({ steps: other });
    expect((await patch(body.id, { enabled: false })).body).toMatchObject({ steps: other });
    expect((await patch(body.id, { steps: null })).body).toMatchObject({ steps: null });
  });

  it('have hours of their own, also in a file', async () => {
    const window = { days: ['mon', 'tue'], from: '09:00', to: '17:00' };
    const steps = [STORED[0]!, { ...STORED[1]!, window }];
    const { body } = await created({ steps: [STEPS[0], { ...STEPS[1], window: { ...window, days: ['tue', 'mon'] } }] });
    expect(body.steps).toEqual(steps);
    expect((await app.as(key).get(`${RULES}${body.id}/`)).body).toMatchObject({ steps });
    expect(await apply(await exported())).toEqual([]);
    await app.as(key).delete(`${RULES}${body.id}/`);
  });

  it('are null without any', async () => {
    expect((await created({ steps: undefined })).body.steps).toBeNull();
  });

  it.each<[string, object, object]>([
    ['not a list', { steps: 'mail' }, { steps: ['must be a list of 2 to 10 steps, or null for all channels at once'] }],
    [
      'only one',
      { steps: [STEPS[0]] },
      { steps: ['must be a list of 2 to 10 steps, or null for all channels at once'] },
    ],
    [
      'with a first one that waits',
      { steps: [{ after: '1m', unless: 'read', channels: ['hook'] }, STEPS[1]] },
      {
        'steps[0].after': ['must be left out of the first step, which is taken at once'],
        'steps[0].unless': ['must be left out of the first step, which is taken at once, unless it has repeat'],
      },
    ],
    [
      'with a later one that does not wait, waits too long, or waits for something unknown',
      {
        steps: [
          STEPS[0],
          { channels: ['mail'] },
          { after: '31d', channels: ['a'] },
          { after: '1m', unless: 'opened', channels: ['b'] },
        ],
      },
      {
        'steps[1].after': ['must be a duration from 1s to 30d, such as 15m, 2h or 1d'],
        'steps[2].after': ['must be a duration from 1s to 30d, such as 15m, 2h or 1d'],
        'steps[3].unless': ['must be one of sent, delivered, seen, read, acknowledged'],
      },
    ],
    [
      'with a channel in two of them, without one, or with an unknown field',
      { steps: [STEPS[0], { after: '1m', channels: ['hook'] }, { after: '1m', channels: [], by: 'sms' }] },
      {
        'steps[1].channels': ['names hook again: a channel belongs to one step'],
        'steps[2].channels': ['must be a list of 1 to 20 slugs of channels'],
        'steps[2].by': ['is not a known field. Known: channels, after, unless, repeat, to, window'],
      },
    ],
    [
      'with a wrong repetition',
      {
        steps: [
          { ...STEPS[0], repeat: '15m' },
          { after: '1m', channels: ['mail'], repeat: { every: '59s', times: 0 } },
          { after: '1m', channels: ['a'], repeat: { every: '31d', times: 51, until: 'read' } },
          { after: '1m', channels: ['b'], repeat: {} },
        ],
      },
      {
        'steps[0].repeat': ['must be an object such as { "every": "15m", "times": 4 }'],
        'steps[1].repeat.every': ['must be at least 1m'],
        'steps[1].repeat.times': ['must be a whole number from 1 to 50'],
        'steps[2].repeat.every': ['must be a duration from 1s to 30d, such as 15m, 2h or 1d'],
        'steps[2].repeat.times': ['must be a whole number from 1 to 50'],
        'steps[2].repeat.until': ['is not a known field. Known: every, times'],
        'steps[3].repeat.every': ['must be a duration from 1s to 30d, such as 15m, 2h or 1d'],
        'steps[3].repeat.times': ['must be a whole number from 1 to 50'],
      },
    ],
    [
      'with wrong hours',
      {
        steps: [
          { ...STEPS[0], window: '09:00' },
          { after: '1m', channels: ['mail'], window: { days: ['monday'], from: '9', to: '24:00' } },
        ],
      },
      {
        'steps[0].window': ['must be an object such as { "from": "22:00", "to": "07:00" }'],
        'steps[1].window.days': [expect.stringContaining('mon')],
        'steps[1].window.from': ['must be a time such as 09:30'],
      },
    ],
    [
      'with users that are not lists or an audience',
      {
        steps: [
          { ...STEPS[0], to: { distribution_list: 'Staff' } },
          { after: '1m', channels: ['mail'], to: 'Managers' },
          { after: '1m', channels: ['a'], to: {} },
          {
            after: '1m',
            channels: ['b'],
            to: { distribution_lists: 'Staff', audience: { field: 'email' }, user: 'ann' },
          },
        ],
      },
      {
        'steps[0].to': ['must be left out of the first step: the notification says whom it means'],
        'steps[1].to': ['must be an object such as { "distribution_list": "Managers" }'],
        'steps[2].to': ['must name a list, or have an audience'],
        'steps[3].to.user': ['is not a known field. Known: distribution_list, distribution_lists, audience'],
        'steps[3].to.distribution_lists': ['must be a list of at most 20 names of lists'],
      },
    ],
    [
      'with a list that does not exist',
      { steps: [STEPS[0], { after: '1m', channels: ['mail'], to: { distribution_list: 'Stuff' } }] },
      { 'steps[1].to': ['there is no list Stuff in the project'] },
    ],
    [
      'for other users, while each user acknowledges for themselves',
      {
        steps: [STEPS[0], { after: '1m', channels: ['mail'], to: { distribution_list: 'Staff' } }],
        acknowledge: { by: 'each' },
      },
      {
        'acknowledge.by': ['must be anyone: a step has `to`, whose users are told about the occurrence as a whole'],
      },
    ],
    [
      'with a channel that has no template, and a template that has no step',
      { steps: [STEPS[0], { after: '1m', channels: ['mall'] }] },
      {
        'steps[1].channels': ['has no template: mall: did you mean mail? Known: hook, mail'],
        steps: ['must name every channel with a template: mail'],
      },
    ],
    ['with a digest', { digest: { window: '15m' } }, { digest: ['excludes steps: remove one of them'] }],
    [
      'with a limit that makes a digest',
      { limit: { count: 1, per: 'day', then: 'digest' } },
      { 'limit.then': ['must be drop in a notification with steps: a digest has no steps'] },
    ],
    [
      'with a room alone in the first, which has no users for the second',
      { templates: TEMPLATES.map((each) => (each.channel === 'hook' ? { ...each, per: 'room' } : each)) },
      { 'steps[0].channels': ['needs a channel that sends to users: the later steps have its users'] },
    ],
    [
      'with a room in a later one',
      {
        templates: TEMPLATES.map((each) => (each.channel === 'hook' ? { ...each, per: 'room' } : each)),
        steps: [{ channels: ['mail'] }, { after: '1m', channels: ['hook'] }],
      },
      { 'steps[1].channels': ['hook is one post to a room, which belongs into the first step'] },
    ],
  ])('are refused if they are %s', async (_, more, errors) => {
    expect(await errorsOf(more)).toEqual(errors);
  });

  it('name lists, which cannot be deleted then, in responses, the history and files', async () => {
    const lists = '/api/o/acme/p/shop/d/';
    const list = await app.as(key).post(lists).send({ name: 'Managers' });
    expect(list.status).toBe(201);
    const audience = { field: 'custom_fields.boss', is: true };
    const to = { distribution_list: ' managers ', audience };
    const shown = { distribution_lists: ['Managers'], audience };
    const { body } = await created({ name: 'To others', steps: [STEPS[0], { ...STEPS[1], to }] });
    expect(body.steps).toEqual([STORED[0], { ...STORED[1], to: shown }]);
    expect((await patch(body.id, { enabled: false })).body).toMatchObject({ steps: body.steps });
    const answer = await app.as(key).get(RULES.replace('/n/', '/revisions/')).query({ limit: 1 });
    const [revision] = answer.body as { changes: { notification: number; rule: { steps: unknown } }[] }[];
    const change = revision!.changes.find(({ notification }) => notification === body.id);
    expect(change!.rule.steps).toEqual(body.steps);
    const blocked = await app.as(key).delete(`${lists}${(list.body as { id: number }).id}/`);
    expect([blocked.status, JSON.stringify(blocked.body)]).toEqual([409, expect.stringContaining('To others')]);
    const text = await exported();
    expect(await apply(text)).toEqual([]);
    await app.as(key).delete(`${RULES}${body.id}/`);
    expect((await app.as(key).delete(`${lists}${(list.body as { id: number }).id}/`)).status).toBe(204);
  });

  it('keep their templates: one that a step uses cannot be left out', async () => {
    const { body } = await created();
    const answer = await patch(body.id, { templates: TEMPLATES.slice(0, 1) });
    expect(answer.status).toBe(400);
    expect(Object.keys((answer.body as { errors: object }).errors)).toContain('steps[0].channels');
    expect((await patch(body.id, { templates: TEMPLATES.slice(0, 1), steps: null })).status).toBe(200);
  });

  it('are shown in the history of the event', async () => {
    const { body } = await created();
    const path = RULES.replace('/n/', '/revisions/');
    const answer = await app.as(key).get(path).query({ limit: 1 });
    const [revision] = answer.body as { changes: { notification: number; rule: { steps: unknown } }[] }[];
    const change = revision!.changes.find(({ notification }) => notification === body.id);
    expect(change!.rule.steps).toEqual(STORED);
  });

  it('are exported, and read back without a change; a plan shows what changes', async () => {
    await created({ name: 'Exported' });
    const text = await exported();
    expect(text).toContain('after: 10m');
    expect(await apply(text)).toEqual([]);
    const changes = await apply(text.replace(/after: 10m/, 'after: 20m'));
    const differences = changes.flatMap((change) => ('differences' in change ? change.differences : []));
    expect(differences).toEqual([
      {
        field: 'steps',
        before: STORED,
        after: [STORED[0], { ...STORED[1], after: '20m' }],
      },
    ]);
  });
});
