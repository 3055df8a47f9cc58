import type { InboxMessage } from '../client/message.js';
import { create, setText } from './dom.js';
import { fill } from './texts.js';
import type { Texts } from './texts.js';

/** Messages that arrive together are announced together. */
const TOGETHER_MS = 500;

/** Tells a screen reader of new messages, without interrupting it. */
export class Announcer {
  readonly element = create('div', 'live', { role: 'status', 'aria-live': 'polite' });
  #arrived: InboxMessage[] = [];

  add(message: InboxMessage, texts: Texts): void {
    this.#arrived.push(message);
    if (this.#arrived.length > 1) return;
    setText(this.element, ''); // the same words twice would not be read again
    setTimeout(() => {
      const n = this.#arrived.length;
      const { subject } = message;
      setText(this.element, n === 1 ? fill(texts.newMessage, { subject }) : fill(texts.newMessages, { n }));
      this.#arrived = [];
    }, TOGETHER_MS);
  }
}
