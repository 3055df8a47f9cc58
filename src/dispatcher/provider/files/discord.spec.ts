import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeDiscord } from '../../../../test/support/providers/discord.js';
import { about } from '../../../../test/support/world/about.js';
import type { Message } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { builtInDispatcher } from '../built-in.js';

let discord: FakeDiscord;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
const dispatcher = builtInDispatcher('discord', outbound);

beforeAll(async () => {
  discord = await FakeDiscord.start();
});
afterAll(async () => {
  await outbound.close();
  await discord.close();
});
beforeEach(() => discord.reset());

const message: Message = { id: 'm1', to: '', subject: 'Paid', text: 'Hi 🛎 "you"', html: '', about, context: {} };

const send = (changes: Partial<Message> = {}, url = discord.webhookUrl) =>
  dispatcher.send({ ...message, ...changes }, { webhook_url: url });

describe('a message to Discord', () => {
  it('is posted, and the answer is the message', async () => {
    const { kind, answer } = await send();
    expect(kind).toBe('sent');
    expect(answer).toMatch(/^200 \{"id":"1234567890123456789"/);
    expect(discord.posts).toEqual([{ content: '**Paid**\nHi 🛎 "you"', thread: null, called: [] }]);
  });

  it('goes to the thread that the URL names', async () => {
    expect(await send({}, `${discord.webhookUrl}?thread_id=42`)).toMatchObject({ kind: 'sent' });
    expect(discord.posts[0]?.thread).toBe('42');
  });

  it('has no title without a subject', async () => {
    await send({ subject: '' });
    expect(discord.posts[0]?.content).toBe('Hi 🛎 "you"');
  });

  it('notifies nobody, even if its data has mentions', async () => {
    await send({ subject: '@everyone', text: '@here <@42> <@&7>' });
    expect(discord.posts).toEqual([{ content: '**@everyone**\n@here <@42> <@&7>', thread: null, called: [] }]);
  });

  it('is whole with 2,000 characters, and cut between two of them beyond', async () => {
    for (const text of ['a'.repeat(2000), 'a'.repeat(2001), `${'a'.repeat(1998)}😀😀`]) {
      expect(await send({ subject: '', text })).toMatchObject({ kind: 'sent' });
    }
    expect(discord.posts.map(({ content }) => content)).toEqual([
      'a'.repeat(2000),
      `${'a'.repeat(1999)}…`,
      `${'a'.repeat(1998)}…`,
    ]);
  });
});

describe('Discord’s answer', () => {
  it('to an invalid webhook, token or message means rejected, and whose fault it is', async () => {
    const token = discord.webhookUrl.split('/').at(-1)!;
    expect(await send({}, discord.webhook('999999999999999999', token))).toEqual({
      kind: 'rejected',
      answer: '404 {"message":"Unknown Webhook","code":10015}',
      fault: 'channel',
    });
    expect(await send({}, discord.webhook('223704706495545344', 'x'.repeat(68)))).toEqual({
      kind: 'rejected',
      answer: '401 {"message":"Invalid Webhook Token","code":50027}',
      fault: 'channel',
    });
    expect(await send({ subject: '', text: '' })).toEqual({
      kind: 'rejected',
      answer: '400 {"message":"Cannot send an empty message","code":50006}',
      fault: 'message',
    });
  });

  it.each([
    [{ seconds: 64.57 }, 65],
    [{ seconds: 1336.57, global: true, header: '1337' }, 1337],
    [{ seconds: 5.2, header: '60' }, 60],
    [{ seconds: 0.3, header: null }, 1],
    [{ seconds: 64.57, header: '64.57' }, 65],
    [{ seconds: 1e6, header: null }, 86_400],
  ])('at the rate limit %p means retry after %i seconds', async (limit, afterSeconds) => {
    discord.limit = limit;
    expect(await send()).toMatchObject({
      kind: 'retry',
      afterSeconds,
      answer: expect.stringContaining('429 {"message"'),
    });
  });

  it.each([
    [{ status: 204 }, 'sent'],
    [{ status: 429, body: '<html>error 1015</html>' }, 'retry'],
    [{ status: 500, body: '{"retry_after": 5}' }, 'retry'],
    ['reset' as const, 'retry'],
  ])('%p means %s, without a time', async (reply, kind) => {
    discord.sink.reply = () => reply;
    const outcome = await send();
    expect(outcome.kind).toBe(kind);
    expect(outcome).not.toHaveProperty('afterSeconds');
  });

  it('is stored without the token', async () => {
    const token = discord.webhookUrl.split('/').at(-1)!;
    discord.sink.reply = ({ path }) => ({ status: 400, body: `${path} ${token}` });
    const outcome = await send();
    expect(outcome).toEqual({ kind: 'rejected', answer: '400 ***?wait=true ***', fault: 'message' });
  });
});

it('Discord out of reach is an outcome, not an error', async () => {
  const closed = builtInDispatcher('discord', new Outbound());
  expect(await closed.send(message, { webhook_url: discord.webhookUrl })).toEqual({
    kind: 'rejected',
    answer: '127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
    fault: 'message',
  });
  expect(await dispatcher.send(message, { webhook_url: 'no url' })).toMatchObject({ kind: 'rejected' });
});
