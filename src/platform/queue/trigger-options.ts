import type { Priority } from './priority.js';
import type { SendAt } from '../send-at.js';

/** The options of a trigger, as its occurrence stores them. */
export interface TriggerOptions {
  /** Slugs or types of the only channels to use. */
  channels?: string[];
  /** Usernames of those whom notifications with `to: recipients` reach. */
  recipients?: string[];
  /** Usernames of those whom notifications with `to: told` reach: they had a message about a thread that the trigger has resolved. No trigger gives it. */
  told?: string[];
  /** Usernames of the only users to reach. */
  limit_to?: string[];
  /** Names of the only notifications to apply: those that a replay chose. */
  notifications?: string[];
  /** Posts to rooms although `limit_to` is given. */
  rooms?: true;
  send_at?: SendAt;
  expires_at?: string;
  priority?: Priority;
  /** The locale of all messages. */
  locale?: string;
  attachments?: StoredAttachment[];
  /** The value of a thread whose open steps the trigger ended. */
  resolves_thread?: string;
}

/** A file of an occurrence. Its bytes are stored once for the organization, under their hash. */
export interface StoredAttachment {
  filename: string;
  content_type: string;
  /** Left out until the file of a URL was fetched. */
  size?: number;
  /** In hexadecimal digits. Of a URL that was not fetched yet: the hash that its bytes must have. */
  sha256?: string;
  /** With it, HTML shows the file by `cid:`. */
  cid?: string;
  url?: string;
  /** The trigger named no content type: that of the answer counts. */
  guess?: true;
}
