import type { Priority } from './priority.js';
import type { SendAt } from '../send-at.js';

/** The options of a trigger, as its occurrence stores them. */
export interface TriggerOptions {
  /** Slugs or types of the only channels to use. */
  channels?: string[];
  /** Usernames of those whom notifications with `to: recipients` reach. */
  recipients?: string[];
  /** Usernames of the only users to reach. */
  limit_to?: string[];
  /** Posts to rooms although `limit_to` is given. */
  rooms?: true;
  send_at?: SendAt;
  expires_at?: string;
  priority?: Priority;
  /** The locale of all messages. */
  locale?: string;
}
