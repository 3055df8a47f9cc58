import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeTeams } from '../../../../test/support/providers/teams.js';
import { about } from '../../../../test/support/world/about.js';
import type { Message } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { builtInDispatcher } from '../built-in.js';

let teams: FakeTeams;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
const dispatcher = builtInDispatcher('teams', outbound);

beforeAll(async () => {
  teams = await FakeTeams.start();
});
afterAll(async () => {
  await outbound.close();
  await teams.close();
});
beforeEach(() => teams.reset());

const message: Message = { id: 'm1', to: '', subject: 'Paid', text: 'Hi 🛎 "you"', html: '', about, context: {} };

const WAYS = ['workflow', 'connector'] as const;
const send = (way: 'workflow' | 'connector', changes: Partial<Message> = {}) =>
  dispatcher.send(
    { ...message, ...changes },
    { webhook_url: way === 'workflow' ? teams.workflowUrl : teams.connectorUrl },
  );
const textsOf = (at = 0) => teams.cards[at]?.body.map(({ text }) => text);

describe('a message to Teams', () => {
  it.each([
    ['workflow', '202'],
    ['connector', '200 1'],
  ] as const)('is a card (%s)', async (way, answer) => {
    expect(await send(way)).toEqual({ kind: 'sent', answer });
    expect(teams.cards[0]?.body).toMatchObject([
      { text: 'Paid', weight: 'Bolder', wrap: true },
      { text: 'Hi 🛎 "you"', wrap: true },
    ]);
  });

  it('has no title without a subject, and no text without one', async () => {
    await send('workflow', { subject: ' ' });
    await send('workflow', { text: '' });
    expect([textsOf(0), textsOf(1)]).toEqual([['Hi 🛎 "you"'], ['Paid']]);
  });

  it('is not sent when it is empty', async () => {
    const outcome = await send('workflow', { subject: ' ', text: '\n' });
    expect(outcome).toEqual({ kind: 'rejected', answer: 'the message is empty', fault: 'message', isLocal: true });
    expect(teams.requests).toHaveLength(0);
  });

  it('separates its lines for Markdown', async () => {
    await send('workflow', { text: 'one\ntwo\r\n\r\nthree\n' });
    expect(textsOf()).toEqual(['Paid', 'one\n\ntwo\n\nthree']);
  });

  it.each([
    ['letters', 'a'.repeat(30_000)],
    ['what JSON escapes', '"\\\u0001'.repeat(20_000)],
    ['lines', 'line\n'.repeat(20_000)],
    ['characters of many bytes', '👨‍👩‍👧‍👦é語'.repeat(20_000)],
  ])('is cut to the limit of Teams: %s', async (_, text) => {
    for (const way of WAYS) expect(await send(way, { text })).toMatchObject({ kind: 'sent' });
    expect(teams.failedRuns).toEqual([]);
    expect(teams.cards).toHaveLength(2);
    const { body } = teams.requests[0]!;
    expect(Buffer.byteLength(body)).toBeGreaterThan(27_900);
    const cut = textsOf()![1]!;
    expect(cut.endsWith('…')).toBe(true);
    expect(text.replace(/\n/g, '\n\n').startsWith(cut.slice(0, -1))).toBe(true);
    expect(cut.isWellFormed()).toBe(true);
  });

  it('is cut also when the subject is too long', async () => {
    expect(await send('workflow', { subject: '"'.repeat(100_000), text: 'é'.repeat(100_000) })).toMatchObject({
      kind: 'sent',
    });
    expect(teams.failedRuns).toEqual([]);
    expect(textsOf()![0]).toHaveLength(1000);
  });

  it('is whole when it just fits', async () => {
    await send('workflow', { text: 'a' });
    const spare = 28_000 - Buffer.byteLength(teams.requests[0]!.body);
    await send('workflow', { text: 'a'.repeat(1 + spare) });
    await send('workflow', { text: 'a'.repeat(2 + spare) });
    expect(textsOf(1)![1]).toBe('a'.repeat(1 + spare));
    expect(textsOf(2)![1]).toMatch(/a…$/);
  });
});

describe('the answer of Teams', () => {
  it('to an invalid Workflow or signature means rejected, and is stored without them', async () => {
    const gone = teams.workflow('0123456789abcdef0123456789abcdef', 'x'.repeat(43));
    expect(await dispatcher.send(message, { webhook_url: gone })).toEqual({
      kind: 'rejected',
      answer: `404 {"error":{"code":"WorkflowNotFound","message":"The workflow '***' could not be found."}}`,
      fault: 'channel',
    });
    const unsigned = teams.workflowUrl.replace(/sig=.*/, '');
    expect(await dispatcher.send(message, { webhook_url: unsigned })).toMatchObject({
      kind: 'rejected',
      answer: expect.stringContaining('401 {"error":{"code":"DirectApiAuthorizationRequired"'),
      fault: 'channel',
    });
  });

  it('of a Workflow at its rate limit says when to retry', async () => {
    teams.limitedFor = 17;
    expect(await send('workflow')).toMatchObject({
      kind: 'retry',
      afterSeconds: 17,
      answer: expect.stringMatching(/^429 /),
    });
  });

  it('of a connector at its rate limit is a 200 that means retry', async () => {
    teams.limitedFor = 17;
    const outcome = await send('connector');
    expect(outcome.kind).toBe('retry');
    expect(outcome.answer).toContain('Microsoft Teams endpoint returned HTTP error 429');
    expect(outcome).not.toHaveProperty('afterSeconds');
  });

  it.each([
    [
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ContextId x',
      'rejected',
    ],
    [
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 403 with ContextId x',
      'rejected',
    ],
    [
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 502 with ContextId x',
      'retry',
    ],
    ['Webhook message delivery failed with error: Error contacting Microsoft Teams endpoint', 'retry'],
  ])('as a connector’s 200 %p means %s', async (words, kind) => {
    teams.connectorSays = words;
    const outcome = await send('connector');
    expect(outcome.kind).toBe(kind);
    expect(outcome.answer).toContain(words);
  });

  it.each([
    [401, 'channel'],
    [403, 'channel'],
    [404, 'channel'],
    [410, 'channel'],
    [400, 'message'],
    [413, 'message'],
  ])('%i is the fault of the %s', async (status, fault) => {
    teams.sink.reply = () => ({ status });
    expect(await send('workflow')).toMatchObject({ kind: 'rejected', fault });
    teams.sink.reply = () => ({
      status: 200,
      body: `Microsoft Teams endpoint returned HTTP error ${status} with ContextId x`,
    });
    expect(await send('connector')).toMatchObject({ kind: 'rejected', fault });
  });

  it.each([
    [{ status: 500 }, 'retry'],
    [{ status: 413 }, 'rejected'],
    ['reset' as const, 'retry'],
  ])('%p means %s', async (reply, kind) => {
    teams.sink.reply = () => reply;
    const outcome = await send('workflow');
    expect(outcome.kind).toBe(kind);
  });

  it.each(WAYS)('is stored without the path and its signature (%s)', async (way) => {
    teams.sink.reply = ({ path }) => ({ status: 400, body: `no ${path}` });
    const outcome = await send(way);
    expect(outcome).toEqual({ kind: 'rejected', answer: '400 no ***', fault: 'message' });
  });
});

it('Teams out of reach is an outcome, not an error', async () => {
  const closed = builtInDispatcher('teams', new Outbound());
  expect(await closed.send(message, { webhook_url: teams.workflowUrl })).toEqual({
    kind: 'rejected',
    answer: '127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
    fault: 'message',
  });
  expect(await dispatcher.send(message, { webhook_url: 'no url' })).toMatchObject({ kind: 'rejected' });
});
