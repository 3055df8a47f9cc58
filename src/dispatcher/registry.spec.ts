import { describe, expect, it } from '@jest/globals';
import { about } from '../../test/support/world/about.js';
import type { Message } from './dispatcher.js';
import { InboxDispatcher } from './inbox/inbox.dispatcher.js';
import { Outbound } from './outbound/outbound.js';
import { builtInTypes } from './provider/built-in.js';
import { byType, dispatchers } from './registry.js';

const lines: string[] = [];
const all = dispatchers({
  outbound: new Outbound(),
  log: (line) => lines.push(line),
  bounces: null,
  providersDir: null,
});

const message: Message = {
  id: 'm1',
  to: '',
  subject: 'Paid\r\nINFO forged',
  text: 'Hi\nthere',
  html: '',
  about,
  context: {},
};

describe('the dispatchers', () => {
  it('are known by their type', () => {
    expect([...all.keys()]).toEqual(['email', 'webhook', 'webpush', 'inbox', 'log', 'http', ...builtInTypes()]);
    for (const [type, dispatcher] of all) expect(dispatcher.type).toBe(type);
  });

  it('declare each setting once, and the choices of a choice', () => {
    for (const { fields } of all.values()) {
      expect(new Set(fields.map((field) => field.key)).size).toBe(fields.length);
      for (const field of fields) expect(field.kind === 'choice').toBe(field.choices !== undefined);
    }
  });

  it('declare passwords, signing secrets, tokens and webhook URLs as secret', () => {
    const named = ['discord', 'slack', 'sms', 'teams', 'telegram'];
    const checked = [...all.values()].filter(({ type }) => !builtInTypes().includes(type) || named.includes(type));
    const secret = checked.flatMap(({ type, fields }) =>
      fields.filter((field) => field.secret).map(({ key }) => `${type}.${key}`),
    );
    expect(secret).toEqual([
      'email.password',
      'email.dkim_private_key',
      'email.dkim_private_key_2',
      'email.report_key',
      'webhook.secret',
      'webhook.previous_secret',
      'webpush.private_key',
      'http.secret',
      'http.report_key',
      'discord.webhook_url',
      'slack.webhook_url',
      'slack.bot_token',
      'sms.auth_token',
      'teams.webhook_url',
      'telegram.bot_token',
    ]);
  });

  it('do not start with two of one type', () => {
    expect(() => byType([new InboxDispatcher(), new InboxDispatcher()])).toThrow(
      'two dispatchers have the type "inbox"',
    );
  });
});

it('the log shows a message on one line', async () => {
  expect(await all.get('log')?.send(message, {})).toEqual({ kind: 'sent', answer: 'logged' });
  expect(lines).toEqual([
    `message {"id":"m1","occurrence":"o1","organization":"acme","project":"shop","application":"web","event":"paid","user":"ann","subject":"Paid\\r\\nINFO forged","text":"Hi\\nthere"}`,
  ]);
});

it('the inbox needs no network', async () => {
  expect(await all.get('inbox')?.send(message, {})).toEqual({ kind: 'sent', answer: 'in the inbox' });
});
