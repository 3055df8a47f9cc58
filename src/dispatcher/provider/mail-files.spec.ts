import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { HttpSink } from '../../../test/support/sinks/http-sink.js';
import { about } from '../../../test/support/world/about.js';
import type { Message } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { builtInProvider, builtInTypes } from './built-in.js';
import { FileDispatcher } from './file.dispatcher.js';

const REFERENCE = '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21_17';

const fileOf = (filename: string, contentType: string, content: string, cid?: string) => ({
  ...{ filename, contentType, size: content.length, url: null, content: Buffer.from(btoa(content)) },
  ...(cid === undefined ? {} : { cid }),
});

const mail: Message = {
  id: REFERENCE.replace('_', '.'),
  to: 'ann@acme.test',
  subject: 'Paid: 100 €',
  text: 'Order A-17 is paid.',
  html: '<p>Order A-17 is paid. <img src="cid:logo"></p>',
  sender: { from: 'Shop <shop@acme.test>', reply_to: 'Help <help@acme.test>', headers: { 'X-Order': 'A-17' } },
  list: { name: 'Orders', id: 'orders.acme.test', unsubscribe: 'https://notify.test/u/1' },
  attachments: [fileOf('note.txt', 'text/plain', 'a note'), fileOf('logo.png', 'image/png', 'a picture', 'logo')],
  about,
  context: {},
};

let server: HttpSink;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
beforeAll(async () => {
  server = await HttpSink.start();
});
afterAll(() => Promise.all([server.close(), outbound.close()]));
beforeEach(() => {
  server.requests.length = 0;
});

const mailTypes = builtInTypes().filter((type) => builtInProvider(type).parts.includes('from'));

/** The request as text, with the mail that SES gets in base64. */
function sentText(): string {
  const { body } = server.requests[0]!;
  const raw = /"Data":"([^"]+)"/.exec(body)?.[1];
  return `${body}\n${raw === undefined ? '' : Buffer.from(raw, 'base64').toString()}`;
}

it.each(mailTypes)('a mail over %s carries its sender, its headers, its files and our reference', async (type) => {
  const provider = builtInProvider(type);
  const config = { ...provider.samples, from_domains: 'acme.test' };
  await new FileDispatcher(type, () => provider, outbound, server.url('')).send(mail, config);
  const text = sentText();
  const parts = [REFERENCE, 'shop@acme.test', 'Shop', 'help@acme.test', 'X-Order', 'https://notify.test/u/1'];
  const lists = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Unsubscribe=One-Click', 'auto-generated'];
  const files = ['note.txt', btoa('a note'), 'logo.png', btoa('a picture'), 'image/png'];
  for (const part of [...parts, ...lists, ...files]) expect(text).toContain(part);
  // The picture in the text, and the picture itself.
  expect(text.match(/cid:logo|[Cc]ontent[-_]?(?:ID|id)"?: ?["<]logo/g)?.length).toBeGreaterThanOrEqual(2);
});
