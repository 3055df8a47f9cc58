import type { Counts } from '../client/message.js';
import { create, icon, setText } from './dom.js';
import { fill } from './texts.js';
import type { Texts } from './texts.js';

export const BELL = 'M18 9a6 6 0 1 0-12 0c0 6-2.5 7.5-2.5 7.5h17S18 15 18 9M10 20a2.2 2.2 0 0 0 4 0';
const MOST = 99;

/** The button, with the number of messages that are new or unread. */
export class Bell {
  readonly element = create('button', 'bell', { type: 'button', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' });
  readonly #badge = create('span', 'badge', { 'aria-hidden': 'true', dir: 'ltr' });

  constructor() {
    this.element.append(icon(BELL), this.#badge);
  }

  draw(counts: Counts | null, shown: string | null, texts: Texts): void {
    const isUnread = shown === 'unread';
    const count = counts ? (isUnread ? counts.unread : counts.unseen) : 0;
    const n = count > MOST ? `${MOST}+` : String(count);
    setText(this.#badge, n);
    this.#badge.hidden = count === 0;
    const label = count === 0 ? texts.title : fill(isUnread ? texts.unreadCount : texts.unseenCount, { n });
    if (this.element.ariaLabel !== label) this.element.ariaLabel = label;
  }
}
