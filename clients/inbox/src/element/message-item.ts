import type { InboxMessage } from '../client/message.js';
import { create, icon, setText } from './dom.js';
import { linkOf, titleAndText } from './link.js';
import { relativeTime } from './relative-time.js';
import type { Texts } from './texts.js';

const ARCHIVE = 'M4 8v10a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8M3 4h18v4H3zM10 12h4';

/** One message of the list. It stays the same element while the message changes, so that the focus stays too. */
export class MessageItem {
  readonly element: HTMLLIElement;
  /** A link if the message has one, otherwise a button. */
  readonly main: HTMLElement;
  readonly archive: HTMLButtonElement;
  readonly #title = create('span', 'subject', { dir: 'auto' });
  readonly #text = create('span', 'text', { dir: 'auto' });
  readonly #time = create('time', 'time');
  readonly #unread = create('span', 'dot', { role: 'img' });

  constructor(public message: InboxMessage) {
    const link = linkOf(message, document.baseURI);
    const content = [this.#unread, this.#title, this.#time, this.#text];
    this.main = link
      ? create('a', 'message', { href: link, rel: 'noopener' }, ...content)
      : create('button', 'message', { type: 'button', 'aria-expanded': 'false' }, ...content);
    this.archive = create('button', 'archive', { type: 'button' }, icon(ARCHIVE));
    this.element = create('li', 'item', {}, this.main, this.archive);
    this.element.dataset.id = String(message.id);
  }

  draw(message: InboxMessage, texts: Texts, language: string): void {
    this.message = message;
    const { title, text } = titleAndText(message);
    const at = new Date(message.created_at);
    setText(this.#title, title);
    setText(this.#text, text);
    setText(this.#time, relativeTime(at, new Date(), language));
    this.#time.dateTime = message.created_at;
    this.#time.title = at.toLocaleString(language);
    this.#unread.hidden = message.read_at !== null;
    this.#unread.ariaLabel = texts.unread;
    this.element.part.toggle('unread', message.read_at === null);
    this.archive.title = texts.archive;
    this.archive.ariaLabel = `${texts.archive}: ${title}`;
  }

  /** Shows the whole text, or its first lines. A link shows it elsewhere. */
  toggle(): void {
    if (this.main.ariaExpanded === null) return;
    this.main.ariaExpanded = String(this.element.part.toggle('expanded'));
  }

  setStop(isStop: boolean): void {
    this.main.tabIndex = this.archive.tabIndex = isStop ? 0 : -1;
  }
}
