import { isObject } from '../../../platform/field/is-object.js';
import { encodeLines, encodedLength } from '../../base64-lines.js';
import type { ChannelConfig, Message, MessageAttachment, MessageSender, RichMessage } from '../../dispatcher.js';
import type { Example, ProviderFile } from '../provider.js';

const ADDRESSES: Readonly<Record<string, string>> = {
  email: 'ann@acme.test',
  phone: '+15005550006',
  whatsapp: '+15005550006',
};

const ABOUT = {
  occurrence: '018f3c1e-0000-7000-8000-000000000001',
  organization: 'acme',
  project: 'shop',
  application: 'web',
  event: 'order-paid',
  user: 'ann@acme.test',
};

/** The message of an example: this one, with what the example says. */
export function sampleMessage(
  provider: Pick<ProviderFile, 'address'>,
  given: Readonly<Record<string, unknown>>,
): Message {
  const { attachments, from, reply_to, headers, expires_at, report_url, thread, ...others } = given as Record<
    string,
    unknown
  > &
    MessageSender & { expires_at?: string };
  const sender: MessageSender = {
    ...(from ? { from } : {}),
    ...(reply_to ? { reply_to } : {}),
    ...(headers ? { headers } : {}),
  };
  const { url, image, actions, data, template, ...rest } = others as Record<string, unknown> & RichMessage;
  const rich = Object.fromEntries(
    Object.entries({ url, image, actions, data, template }).filter(([, value]) => value !== undefined),
  ) as RichMessage;
  return {
    id: `${ABOUT.occurrence}.7`,
    to: provider.address === null ? '' : (ADDRESSES[provider.address] ?? 'ann'),
    subject: 'Order paid',
    text: 'Order A-17 is paid.',
    html: '',
    about: ABOUT,
    context: { order: 'A-17' },
    ...(Object.keys(sender).length > 0 ? { sender } : {}),
    ...(Object.keys(rich).length > 0 ? { rich } : {}),
    ...(typeof thread === 'string' ? { thread: { group: thread, replaces: 'thread-of-the-example' } } : {}),
    ...(typeof report_url === 'string' ? { reportUrl: report_url } : {}),
    ...(Array.isArray(attachments) ? { attachments: attachments.filter(isObject).map(attachmentOf) } : {}),
    ...(expires_at === undefined ? {} : { expiresAt: new Date(expires_at) }),
    ...rest,
  };
}

/** `content` is the text of the file. */
function attachmentOf({ filename, content_type, content, cid }: Record<string, unknown>): MessageAttachment {
  const bytes = Buffer.from(String(content));
  const encoded = Buffer.alloc(encodedLength(bytes.length));
  const end = encodeLines(bytes, encoded, 0);
  return {
    filename: String(filename),
    contentType: String(content_type),
    size: bytes.length,
    ...(cid === undefined ? {} : { cid: String(cid) }),
    url: null,
    content: encoded.subarray(0, end),
  };
}

/** The settings of an example's channel. One that the example sets to null is left out. */
export function sampleConfig(
  provider: Pick<ProviderFile, 'samples'>,
  { settings }: Pick<Example, 'settings'>,
): ChannelConfig {
  return Object.fromEntries(
    Object.entries({ ...provider.samples, ...settings }).filter(([, value]) => (value as unknown) !== null),
  );
}
