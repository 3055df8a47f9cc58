import type { InboxMessage, MessageAction, View } from '../client/message.js';
import { create, icon, setText } from './dom.js';
import { linkOf, titleAndText, webUrl } from './link.js';
import { dayAndTime, relativeTime } from './relative-time.js';
import { snoozeTimes } from './snooze-times.js';
import type { Texts } from './texts.js';

const ARCHIVE = 'M4 8v10a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8M3 4h18v4H3zM10 12h4';
const BACK = 'M9 14 4 9l5-5M4 9h16';
const SNOOZE = 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0';
const REMOVE = 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13';

/** One message of the list. It stays the same element while the message changes, so that the focus stays too. */
export class MessageItem {
  readonly element: HTMLLIElement;
  /** A link if the message has one, otherwise a button. */
  readonly main: HTMLElement;
  /** The choice of a time: the list of the browser, behind an icon. */
  readonly snooze = create('select', '', {}, ...[0, 1, 2, 3].map(() => create('option', '')));
  readonly #snooze = create('span', 'tool snooze', {}, icon(SNOOZE), this.snooze);
  /** Archives the message, or brings it back into the inbox. */
  readonly archive = create('button', 'tool archive', { type: 'button' });
  /** Only in the archive: a message is archived first. */
  readonly remove = create('button', 'tool delete', { type: 'button' }, icon(REMOVE));
  /** Pressed: somebody takes care of it. */
  readonly acknowledge = create('button', 'action', { type: 'button' });
  readonly #actions = create('div', 'actions', {}, this.acknowledge);
  /** Its links, as buttons. */
  readonly actions: readonly { action: MessageAction; element: HTMLAnchorElement }[];
  readonly #title = create('span', 'subject', { dir: 'auto' });
  readonly #text = create('span', 'text', { dir: 'auto' });
  readonly #time = create('time', 'time');
  readonly #unread = create('span', 'dot', { role: 'img' });
  #icon = '';

  constructor(public message: InboxMessage) {
    const link = linkOf(message, document.baseURI);
    const content = [this.#unread, this.#title, this.#time, this.#text, ...this.#image()];
    this.main = link
      ? create('a', 'message', { href: link, rel: 'noopener' }, ...content)
      : create('button', 'message', { type: 'button', 'aria-expanded': 'false' }, ...content);
    this.actions = message.actions.flatMap((action) => {
      const href = webUrl(action.url, document.baseURI);
      return href ? { action, element: create('a', 'action', { href, dir: 'auto' }, action.label) } : [];
    });
    this.#actions.append(...this.actions.map(({ element }) => element));
    const tools = create('div', 'tools', {}, this.#snooze, this.archive, this.remove);
    this.element = create('li', 'item', {}, this.main, this.#actions, tools);
    this.element.dataset.id = String(message.id);
  }

  draw(message: InboxMessage, texts: Texts, language: string, { state }: View): void {
    this.message = message;
    const { title, text } = titleAndText(message);
    const isAway = state === 'snoozed' || state === 'archived';
    const shown = state === 'snoozed' ? (message.snoozed_until ?? message.created_at) : message.created_at;
    const at = new Date(shown);
    setText(this.#title, title);
    setText(this.#text, text);
    setText(this.#time, state === 'snoozed' ? dayAndTime(at, language) : relativeTime(at, new Date(), language));
    this.#time.dateTime = shown;
    this.#time.title = at.toLocaleString(language);
    this.#unread.hidden = message.read_at !== null;
    this.#unread.ariaLabel = texts.unread;
    this.element.part.toggle('unread', message.read_at === null);
    this.#snooze.hidden = isAway;
    const { acknowledge } = message;
    this.acknowledge.hidden = !acknowledge;
    this.acknowledge.ariaPressed = String(acknowledge === 'done');
    setText(this.acknowledge, (acknowledge === 'done' ? '✓ ' : '') + texts.acknowledge);
    this.#actions.hidden = !acknowledge && !this.actions[0];
    const options = [['', texts.snooze], ...snoozeTimes(new Date(), language)];
    for (const [i, [value, label]] of options.entries()) {
      const option = this.snooze.options[i]!;
      setText(option, label!);
      option.value = value!;
    }
    this.remove.hidden = state !== 'archived';
    name(this.snooze, texts.snooze, title);
    name(this.archive, isAway ? `→ ${texts.title}` : texts.archive, title);
    name(this.remove, texts.delete, title);
    const path = isAway ? BACK : ARCHIVE;
    if (this.#icon !== path) this.archive.replaceChildren(icon((this.#icon = path)));
  }

  /** Shows the whole text, or its first lines. A link shows it elsewhere. */
  toggle(): void {
    if (this.main.ariaExpanded === null) return;
    this.main.ariaExpanded = String(this.element.part.toggle('expanded'));
  }

  setStop(isStop: boolean): void {
    for (const each of [
      this.main,
      this.acknowledge,
      this.snooze,
      this.archive,
      this.remove,
      ...this.actions.map(({ element }) => element),
    ])
      each.tabIndex = isStop ? 0 : -1;
  }

  /** The policy of the page may refuse it: then the message has none. */
  #image(): HTMLImageElement[] {
    const { image } = this.message;
    if (!image?.startsWith('https://')) return [];
    const element = create('img', 'image', { alt: '', loading: 'lazy', referrerpolicy: 'no-referrer' });
    element.addEventListener('error', () => element.remove());
    element.src = image;
    return [element];
  }
}

function name(button: HTMLElement, text: string, title: string): void {
  button.title = text;
  button.ariaLabel = `${text}: ${title}`;
}
