import { composeWithFiles } from '../email/file/compose-with-files.js';
import { composeMail, moreHeaders } from '../email/mime.js';
import type { Mailbox } from '../email/address.js';
import { collapseId } from '../dispatcher.js';
import type { ChannelConfig, ConfigField, Message, MessageAttachment } from '../dispatcher.js';
import { referenceOf } from '../report/reference.js';
import { textOf } from './filters.js';
import { templateNames } from './template-names.js';
import type { KnownNames, Variables } from './value.js';

const MESSAGE_NAMES = [
  'id',
  'reference',
  'to',
  'subject',
  'text',
  'html',
  'from',
  'from_name',
  'from_address',
  'reply_to',
  'reply_to_name',
  'reply_to_address',
  'headers',
  'header_map',
  'attachments',
  'url',
  'image',
  'actions',
  'data',
  'app_data',
  'app_texts',
  'category',
  'unread',
  'thread',
  'collapse_id',
  'template',
  'report_url',
  'list',
  'about',
  'context',
  'digest',
  'priority',
  'expires_at',
  'seconds_left',
] as const;

/** The names of a request, for settings with these keys. */
export const requestNames = (settings: readonly string[]): KnownNames => ({
  message: MESSAGE_NAMES,
  settings,
  mime_base64: null,
});

/** The names of a condition on an answer. A secret setting is `true` there. */
export const answerNames = (settings: readonly string[]): KnownNames => ({
  status: null,
  headers: null,
  body: null,
  text: null,
  settings,
});

/** Settings without secrets: only whether they are set. Those that are still encrypted count as set. */
export const plainSettings = (fields: readonly ConfigField[], config: Readonly<Record<string, unknown>>): Variables =>
  Object.fromEntries(
    fields
      .filter(({ key }) => config[key] !== undefined)
      .map(({ key, secret }) => [key, secret || typeof config[key] === 'object' ? true : config[key]]),
  );

/** Who a mail is from and to, once the settings of the channel were read. */
export interface MailParties {
  from: Mailbox;
  replyTo: Mailbox | null;
  to: string;
}

/** Everything that a request can use of a message. What takes time is computed when a file uses it. */
export function namesOf(message: Message, settings: ChannelConfig, mail: MailParties | null): Variables {
  const { id, to, subject, text, html, about, context, digest, list, sender = {}, rich = {} } = message;
  const thread = message.thread?.replaces;
  const headers = mail ? headerNames({ from: mail.from, list, headers: sender.headers, thread }) : [];
  return {
    settings,
    message: {
      ...{ id, reference: referenceOf(id), to: mail?.to ?? to, subject, text, html },
      ...(mail ? { ...partyNames('from', mail.from), ...partyNames('reply_to', mail.replyTo) } : {}),
      headers,
      header_map: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      attachments: (message.attachments ?? []).map(attachmentNames),
      ...{ url: rich.url ?? '', image: rich.image ?? '', actions: rich.actions ?? [], data: rich.data ?? null },
      ...{ category: message.category ?? '', unread: message.unread ?? null },
      ...{ thread: message.thread?.group ?? null, collapse_id: collapseId(message) },
      get app_data() {
        return appData(message);
      },
      get app_texts() {
        return Object.fromEntries(Object.entries(appData(message)).map(([key, value]) => [key, textOf(value)]));
      },
      template: rich.template ? templateNames(rich.template) : null,
      report_url: message.reportUrl ?? '',
      ...{ list: list ?? null, about, context, digest: digest ?? null },
      ...{ priority: message.priority ?? 'normal', ...expiryNames(message.expiresAt) },
    },
    get mime() {
      return mail ? mimeOf(message, mail) : Buffer.alloc(0);
    },
    get mime_base64() {
      return mail ? mimeOf(message, mail).toString('base64') : '';
    },
  };
}

/** What an app that shows the message may want to know, in one map. */
const appData = ({
  about: { event, occurrence },
  category,
  rich: { url, actions, data } = {},
}: Message): Variables => ({
  ...data,
  ...{ event, occurrence },
  ...(category !== undefined && { category }),
  ...(url !== undefined && { url }),
  ...(actions && { actions }),
});

/** In whole seconds since 1970, and from now on. */
const expiryNames = (at: Date | undefined): Variables => ({
  expires_at: at ? Math.floor(at.getTime() / 1000) : null,
  seconds_left: at ? Math.max(0, Math.floor((at.getTime() - Date.now()) / 1000)) : null,
});

const headerNames = (head: Parameters<typeof moreHeaders>[0]): { name: string; value: string }[] =>
  moreHeaders(head)
    .map((line) => line.replaceAll('\r\n ', ' '))
    .map((line) => ({ name: line.split(':', 1)[0]!, value: line.replace(/^[^:]*: /, '') }));

const partyNames = (part: string, box: Mailbox | null): Variables =>
  box
    ? { [part]: written(box), ...(box.name && { [`${part}_name`]: box.name }), [`${part}_address`]: box.address }
    : {};

/** `"Acme, Inc." <shop@acme.test>`. Services encode the name themselves. */
const written = ({ name, address }: Mailbox): string =>
  name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;

const attachmentNames = ({ filename, contentType, size, cid, url, content }: MessageAttachment): Variables => ({
  ...{ filename, content_type: contentType, size, url },
  ...{ cid: cid ?? null, cid_url: cid === undefined ? null : `cid:${cid}` },
  disposition: cid === undefined ? 'attachment' : 'inline',
  /** Base64 without line ends. */
  get content() {
    return content?.toString('latin1').replaceAll('\r\n', '') ?? '';
  },
});

/** The mail as the SMTP dispatcher composes it. */
function mimeOf(message: Message, { from, replyTo, to }: MailParties): Buffer {
  const { id, subject, text, html, list, sender = {} } = message;
  const more = { list, headers: sender.headers, thread: message.thread?.replaces };
  const mail = { id, from, to, replyTo, subject, text, html, date: new Date(), ...more };
  const files = (message.attachments ?? []).flatMap((file) =>
    file.content ? [{ ...file, content: file.content }] : [],
  );
  if (files.length === 0) return Buffer.from(composeMail(mail));
  return Buffer.concat(composeWithFiles(mail, files).map((piece) => Buffer.from(piece as string)));
}
