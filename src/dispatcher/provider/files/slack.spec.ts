import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeSlack } from '../../../../test/support/providers/slack.js';
import type { HttpReply } from '../../../../test/support/sinks/http-sink.js';
import { about } from '../../../../test/support/world/about.js';
import { checkConfig } from '../../config-fields.js';
import type { ChannelConfig, Message } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { builtInDispatcher } from '../built-in.js';
import type { FileDispatcher } from '../file.dispatcher.js';

let slack: FakeSlack;
let dispatcher: FileDispatcher;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });

beforeAll(async () => {
  slack = await FakeSlack.start();
  dispatcher = builtInDispatcher('slack', outbound, slack.sink.url(''));
});
afterAll(async () => {
  await outbound.close();
  await slack.close();
});
beforeEach(() => slack.reset());

const message: Message = {
  id: 'm1',
  to: 'U061F7AUR',
  subject: 'Paid',
  text: 'Hi 🛎 "you"',
  html: '',
  about,
  context: {},
};

const WAYS = ['webhook', 'bot'] as const;
const configOf = (way: 'webhook' | 'bot'): ChannelConfig =>
  way === 'webhook' ? { webhook_url: slack.webhookUrl } : { bot_token: slack.token };
const send = (way: 'webhook' | 'bot', changes: Partial<Message> = {}) =>
  dispatcher.send({ ...message, ...changes }, configOf(way));

describe('the settings of a Slack channel', () => {
  const token = 'xoxb-1';
  it.each([
    [{ webhook_url: 'https://hooks.slack.com/services/T/B/X' }, null],
    [{ bot_token: token }, null],
    [{ bot_token: token, channel: 'C1' }, null],
    [{}, 'exactly one of webhook_url and bot_token must be set'],
    [{ channel: 'C1' }, 'exactly one of webhook_url and bot_token must be set'],
    [{ webhook_url: 'https://a.test/', bot_token: token }, 'exactly one of webhook_url and bot_token must be set'],
    [{ webhook_url: 'https://a.test/', channel: 'C1' }, expect.stringContaining('channel needs a bot_token')],
  ])('%p: %p', async (config: ChannelConfig, problem) => {
    expect(checkConfig(dispatcher.fields, config)).toEqual({ config });
    expect(dispatcher.check(config)).toEqual(problem);
    if (problem === null) return;
    expect(await dispatcher.send(message, config)).toEqual({ kind: 'retry', answer: problem });
    expect(slack.requests).toHaveLength(0);
  });

  it('refuse a webhook URL that is not valid', () => {
    expect(checkConfig(dispatcher.fields, { webhook_url: 'hooks.slack.com' })).toHaveProperty('errors.webhook_url');
  });

  it('say whether each user needs an address', () => {
    const sealed = { sealed: 'x' };
    expect(dispatcher.addressKindFor({ bot_token: sealed })).toBe('slack');
    expect(dispatcher.addressKindFor({ bot_token: sealed, channel: 'C1' })).toBeNull();
    expect(dispatcher.addressKindFor({ webhook_url: sealed })).toBeNull();
  });
});

describe('a message to Slack', () => {
  it('goes through a webhook to its room', async () => {
    expect(await send('webhook')).toEqual({ kind: 'sent', answer: '200 ok' });
    expect(slack.posts).toEqual([{ channel: 'C123ABC456', text: '*Paid*\nHi 🛎 "you"', called: [] }]);
  });

  it('goes through a bot to the user’s address', async () => {
    const { kind, answer } = await send('bot');
    expect(kind).toBe('sent');
    expect(answer).toMatch(/^200 \{"ok":true,"channel":"U061F7AUR","ts":"1503435956.000247"/);
    expect(answer).not.toContain('warning');
    expect(slack.posts).toEqual([{ channel: 'U061F7AUR', text: '*Paid*\nHi 🛎 "you"', called: [] }]);
  });

  it('goes through a bot to the one room that is set', async () => {
    const outcome = await dispatcher.send({ ...message, to: '' }, { bot_token: slack.token, channel: 'C123ABC456' });
    expect(outcome.kind).toBe('sent');
    expect(slack.posts[0]?.channel).toBe('C123ABC456');
  });

  it.each(WAYS)('has no title without a subject (%s)', async (way) => {
    await send(way, { subject: ' ' });
    expect(slack.posts[0]?.text).toBe('Hi 🛎 "you"');
  });

  it.each(WAYS)('shows its data unchanged and notifies nobody (%s)', async (way) => {
    const text = '<!channel> <@U061F7AUR> 1 < 2 & 3 > 2 &lt; <https://evil.test|click>';
    await send(way, { subject: 'a & b', text });
    expect(slack.posts).toMatchObject([{ text: `*a & b*\n${text}`, called: [] }]);
    expect(slack.requests[0]?.body).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  });

  it.each(WAYS)('is cut where Slack would cut it, with a mark (%s)', async (way) => {
    // Slack counts `&amp;` as five characters: this cut falls inside one.
    expect(await send(way, { subject: '', text: `ab${'&'.repeat(40_000)}` })).toMatchObject({ kind: 'sent' });
    expect(slack.posts[0]?.text).toMatch(/^ab&{7999}…$/);
    expect(slack.requests[0]?.body).not.toMatch(/&(?!amp;)/);
  });

  it('is sent also when the answer is too long to be read whole', async () => {
    const { kind, answer } = await send('bot', { text: '{"ok":false,"error":"no_text"} '.repeat(1000) });
    expect(kind).toBe('sent');
    expect(() => JSON.parse(answer.slice(4))).toThrow();
  });
});

describe('Slack’s answer', () => {
  it.each([
    ['invalid_payload', 400, 'rejected', 'message'],
    ['no_text', 400, 'rejected', 'message'],
    ['action_prohibited', 403, 'rejected', 'channel'],
    ['channel_not_found', 404, 'rejected', 'channel'],
    ['no_service', 404, 'rejected', 'channel'],
    ['channel_is_archived', 410, 'rejected', 'channel'],
    ['rollup_error', 500, 'retry', undefined],
  ])('to a webhook, %s, is %i and means %s by the fault of the %s', async (error, status, kind, fault) => {
    slack.trouble = error;
    expect(await send('webhook')).toEqual({ kind, answer: `${status} ${error}`, ...(fault ? { fault } : {}) });
  });

  it.each([
    ...['an_error_of_tomorrow', 'msg_too_long', 'no_text', 'invalid_blocks'].map((error) => [error, 'message']),
    ...['channel_not_found', 'not_in_channel', 'is_archived', 'restricted_action'].map((error) => [error, 'room']),
    ...['invalid_auth', 'not_authed', 'token_revoked', 'token_expired', 'account_inactive', 'missing_scope'].map(
      (error) => [error, 'channel'],
    ),
    ...['no_permission', 'access_denied', 'org_login_required', 'ekm_access_denied', 'enterprise_is_restricted'].map(
      (error) => [error, 'channel'],
    ),
    ...['not_allowed_token_type', 'team_access_not_granted', 'two_factor_setup_required'].map((error) => [
      error,
      'channel',
    ]),
  ] as [string, string][])('to a bot, %s, is the fault of the %s', async (error, fault) => {
    slack.trouble = error;
    const rejected = { kind: 'rejected', answer: `200 {"ok":false,"error":"${error}"}` };
    // A bot that writes to each user meets a wrong address; one that posts to a room, a wrong setting.
    expect(await send('bot')).toEqual({ ...rejected, fault: fault === 'room' ? 'message' : fault });
    const room = { bot_token: slack.token, channel: 'C0' };
    expect(await dispatcher.send(message, room)).toEqual({ ...rejected, fault: fault === 'room' ? 'channel' : fault });
  });

  it.each(['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])(
    'to a bot, %s, means retry',
    async (error) => {
      slack.trouble = error;
      const slow = error.startsWith('rate') ? { isSlowDown: true } : {};
      expect(await send('bot')).toEqual({ kind: 'retry', answer: `200 {"ok":false,"error":"${error}"}`, ...slow });
    },
  );

  it('to an invalid token, channel, webhook or message means rejected', async () => {
    const answerTo = async (config: ChannelConfig, changes: Partial<Message> = {}) => {
      const outcome = await dispatcher.send({ ...message, ...changes }, config);
      expect(outcome.kind).toBe('rejected');
      return outcome.answer;
    };
    expect(await answerTo({ bot_token: 'xoxb-wrong' })).toContain('invalid_auth');
    expect(await answerTo({ bot_token: slack.token }, { to: 'U0' })).toContain('channel_not_found');
    expect(await answerTo({ bot_token: slack.token }, { subject: '', text: '' })).toContain('no_text');
    expect(await answerTo({ webhook_url: slack.sink.url('/services/T/B/X') })).toBe('404 no_service');
    expect(await answerTo({ webhook_url: slack.webhookUrl }, { subject: '', text: ' ' })).toBe('400 no_text');
  });

  it.each(WAYS)('at the rate limit says when to retry (%s)', async (way) => {
    slack.limitedFor = 30;
    expect(await send(way)).toMatchObject({ kind: 'retry', afterSeconds: 30, answer: expect.stringMatching(/^429 /) });
  });

  it.each<[HttpReply, string]>([
    [{ status: 200, headers: { 'retry-after': '9' }, body: '{"ok": false, "error": "ratelimited"}' }, 'retry'],
    [{ status: 200, body: '<html>Sign in to the network</html>' }, 'retry'],
    [{ status: 200 }, 'retry'],
    [{ status: 302, headers: { location: 'https://status.slack.com/' } }, 'rejected'],
    [{ status: 503 }, 'retry'],
    ['reset', 'retry'],
  ])('to a bot, %p, means %s', async (reply, kind) => {
    slack.sink.reply = () => reply;
    const outcome = await send('bot');
    expect(outcome).toMatchObject({ kind, ...(JSON.stringify(reply).includes('"9"') ? { afterSeconds: 9 } : {}) });
  });

  it('is stored without the token and without the webhook’s path', async () => {
    slack.sink.reply = ({ path, headers }) => ({ status: 400, body: `${headers.authorization} at ${path}` });
    const answers = [await send('webhook'), await send('bot')].map(({ answer }) => answer);
    expect(answers).toEqual(['400 undefined at ***', '400 Bearer *** at /api/chat.postMessage']);
  });
});

describe('Slack out of reach', () => {
  it('is an outcome, not an error', async () => {
    const closed = builtInDispatcher('slack', new Outbound(), slack.sink.url(''));
    for (const way of WAYS) {
      expect(await closed.send(message, configOf(way))).toEqual({
        kind: 'rejected',
        answer: '127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
        fault: 'message',
      });
    }
    expect(await dispatcher.send(message, { bot_token: 'a\r\nb: c' })).toMatchObject({ kind: 'rejected' });
    expect(await dispatcher.send(message, { webhook_url: 'no url' })).toMatchObject({ kind: 'rejected' });
  });
});
