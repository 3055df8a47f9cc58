import type { ChannelConfig, Dispatcher, Message, MessageAttachment, Outcome } from '../../dispatcher/dispatcher.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { encodedLength } from '../../dispatcher/base64-lines.js';
import { FileGone, FilesWait } from './file-cache.js';
import type { FileCache } from './file-cache.js';
import type { FileLinks } from './file-links.js';

/** The files of an occurrence as messages and templates name them, without their bytes. */
export const linkedFiles = (
  links: Pick<FileLinks, 'for'>,
  { occurrence, organization }: { occurrence: string; organization: { slug: string } },
  files: StoredAttachment[],
): MessageAttachment[] =>
  files.map(({ filename, content_type, size = 0, cid }, position) => ({
    ...{ filename, contentType: content_type, size, url: links.for(organization.slug, { occurrence, position }) },
    ...(cid !== undefined && { cid }),
  }));

interface Carrying {
  organizationId: number;
  dispatcher: Dispatcher;
  config: ChannelConfig;
  channelId: number;
  files: StoredAttachment[] | undefined;
}

/** After the wait for memory. */
const AGAIN_SECONDS = 10;

/** Makes one attempt with the bytes of the files. */
export async function sendWithFiles(
  cache: FileCache,
  { organizationId, dispatcher, config, channelId, files = [] }: Carrying,
  message: Message,
): Promise<Outcome> {
  const names = files.map(({ sha256 = '', size = 0 }) => ({ organizationId, sha256, size }));
  // The limit may be lower than at the trigger. Files that are not sent take no memory from others.
  const bytes = names.reduce((sum, { size }) => sum + encodedLength(size), 0);
  if (bytes > (dispatcher.maxMessageBytes?.(config) ?? Infinity))
    return refused('the files are too large for the channel');
  let lease;
  try {
    lease = await cache.lease(names);
  } catch (error) {
    if (error instanceof FileGone) return refused(error.message);
    if (!(error instanceof FilesWait)) throw error;
    return { kind: 'retry', answer: error.message, afterSeconds: AGAIN_SECONDS, isSlowDown: true, isLocal: true };
  }
  try {
    const attachments = message.attachments?.map((file, i) => ({ ...file, content: lease.contents[i]! }));
    return await dispatcher.send({ ...message, attachments }, config, channelId);
  } finally {
    lease.release();
  }
}

const refused = (answer: string): Outcome => ({ kind: 'rejected', answer, fault: 'message', isLocal: true });
