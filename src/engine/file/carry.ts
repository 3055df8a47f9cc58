import type { ChannelConfig, Dispatcher, Message, MessageAttachment, Outcome } from '../../dispatcher/dispatcher.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { FileGone } from './file-cache.js';
import type { FileCache } from './file-cache.js';
import type { FileLinks } from './file-links.js';

/** The files of an occurrence as messages and templates name them, without their bytes. */
export const linkedFiles = (
  links: FileLinks,
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
  files: StoredAttachment[] | undefined;
}

/** Makes one attempt with the bytes of the files. */
export async function sendWithFiles(
  cache: FileCache,
  { organizationId, dispatcher, config, files = [] }: Carrying,
  message: Message,
): Promise<Outcome> {
  const names = files.map(({ sha256 = '', size = 0 }) => ({ organizationId, sha256, size }));
  let lease;
  try {
    lease = await cache.lease(names);
  } catch (error) {
    if (error instanceof FileGone) return { kind: 'rejected', answer: error.message, fault: 'message', isLocal: true };
    throw error;
  }
  try {
    const attachments = message.attachments?.map((file, i) => ({ ...file, content: lease.contents[i]! }));
    return await dispatcher.send({ ...message, attachments }, config);
  } finally {
    lease.release();
  }
}
