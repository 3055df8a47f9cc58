import type { InboxList } from '../client/inbox-list.js';
import type { Brand, InboxMessage } from '../client/message.js';
import { BELL } from './bell.js';
import { create, icon, setText } from './dom.js';
import { MessageItem } from './message-item.js';
import type { Texts } from './texts.js';

/** What shows the messages of a list: title, error, messages, and the way to older ones. */
export class Panel {
  readonly element = create('div', 'panel', { popover: 'auto', role: 'dialog', tabindex: '-1' });
  readonly #brand = create('div', 'brand', { hidden: '' });
  readonly #title = create('h2', 'title');
  readonly #readAll = create('button', 'read-all', { type: 'button' });
  readonly #errorText = create('span', 'error-text');
  readonly #retry = create('button', 'retry', { type: 'button' });
  readonly #error = create('div', 'error', { role: 'alert' }, this.#errorText, this.#retry);
  readonly #items = create('ul', 'list', { role: 'list' });
  readonly #emptyTitle = create('strong', 'empty-title');
  readonly #emptyHint = create('span', 'empty-hint');
  readonly #empty = create('p', 'empty', {}, icon(BELL), this.#emptyTitle, this.#emptyHint);
  readonly #loading = create('div', 'loading', { role: 'img' }, ...[1, 2, 3].map(() => create('i', '')));
  readonly #more = create('button', 'more', { type: 'button' });
  #drawn = new Map<number, MessageItem>();
  #currentId: number | null = null;

  constructor(
    private readonly list: () => InboxList | null,
    /** Answers false when the page handles the click itself. */
    private readonly onClick: (message: InboxMessage) => boolean,
  ) {
    const header = create('div', 'header', {}, this.#title, this.#readAll);
    const body = create('div', 'body', {}, this.#items, this.#loading, this.#empty, this.#more);
    this.element.append(this.#brand, header, this.#error, body);
    this.element.addEventListener('keydown', (event) => this.#pressed(event));
    this.#items.addEventListener('click', (event) => this.#clicked(event));
    this.#items.addEventListener('focusin', ({ target }) => this.#setCurrent(this.#itemOf(target)));
    this.#readAll.addEventListener('click', () => this.#act((list) => list.readAll()));
    this.#retry.addEventListener('click', () => this.#act((list) => list.retry()));
    this.#more.addEventListener('click', () => void this.#showMore());
  }

  get isOpen(): boolean {
    return this.element.matches(':popover-open');
  }

  get hasFocus(): boolean {
    return this.element.matches(':focus-within');
  }

  /** The logo or the name of an organization that has a color or a logo. */
  drawBrand(brand: Brand | null): void {
    this.#brand.hidden = !brand?.accent && !brand?.logo;
    const { name = '', logo } = brand ?? {};
    this.#brand.replaceChildren(logo ? this.#logoOf(logo, name) : name);
  }

  /** The policy of the page may refuse images of the service: then the name stands there. */
  #logoOf({ url, width, height }: NonNullable<Brand['logo']>, name: string): HTMLImageElement {
    const image = create('img', 'logo', { alt: name, width: String(width), height: String(height) });
    image.addEventListener('error', () => image.replaceWith(name));
    image.src = url;
    return image;
  }

  draw(list: InboxList, texts: Texts, language: string): void {
    this.element.ariaLabel = texts.title;
    setText(this.#title, texts.title);
    setText(this.#readAll, texts.readAll);
    setText(this.#retry, texts.retry);
    setText(this.#emptyTitle, texts.empty);
    setText(this.#emptyHint, texts.emptyHint);
    setText(this.#more, texts.more);
    this.#loading.ariaLabel = texts.loading;
    this.#readAll.hidden = !list.counts?.unread || list.messages.length === 0;
    this.#loading.hidden = !list.isLoading || list.isLoaded;
    this.#empty.hidden = !list.isLoaded || list.messages.length > 0;
    this.#more.hidden = !list.hasMore;
    this.#drawError(list, texts);
    this.#drawItems(list, texts, language);
  }

  #drawError({ error, status }: InboxList, texts: Texts): void {
    const ofStatus = { connecting: '', live: '', waiting: texts.interrupted, offline: texts.offline }[status];
    const ofError = error && { read: texts.readError, change: texts.changeError }[error.doing];
    // Without a network everything fails, and for that reason.
    const text = status === 'offline' ? ofStatus : (ofError ?? ofStatus);
    this.#error.hidden = text === '';
    setText(this.#errorText, text);
  }

  #drawItems({ messages }: InboxList, texts: Texts, language: string): void {
    const old = this.#drawn;
    this.#drawn = new Map(messages.map((message) => [message.id, old.get(message.id) ?? new MessageItem(message)]));
    for (const [id, { element }] of old) if (!this.#drawn.has(id)) element.remove();
    let before: Element | null = null;
    for (const message of messages) {
      const item = this.#drawn.get(message.id)!;
      item.draw(message, texts, language);
      // Only what is in the wrong place is moved: a moved element loses the focus.
      const place: Element | null = before ? before.nextElementSibling : this.#items.firstElementChild;
      if (place !== item.element) this.#items.insertBefore(item.element, place);
      before = item.element;
    }
    this.#setCurrent(this.#drawn.get(this.#currentId ?? -1) ?? this.#itemsInOrder()[0]);
  }

  /** One message is the stop of the Tab key; the arrow keys choose it. */
  #setCurrent(current: MessageItem | undefined): void {
    this.#currentId = current?.message.id ?? null;
    for (const item of this.#drawn.values()) item.setStop(item === current);
  }

  #clicked(event: MouseEvent): void {
    const item = this.#itemOf(event.target);
    if (!item) return;
    if (event.composedPath().includes(item.archive)) return this.#archive(item);
    if (this.onClick(item.message)) item.toggle();
    else event.preventDefault();
    void this.list()?.read(item.message);
  }

  #archive(item: MessageItem): void {
    const items = this.#itemsInOrder();
    const at = items.indexOf(item);
    (items[at + 1] ?? items[at - 1])?.main.focus();
    this.#act((list) => list.archive(item.message));
  }

  /** The button or message may disappear. Then the focus stays in the panel. */
  #act(action: (list: InboxList) => unknown): void {
    const list = this.list();
    if (list) action(list);
    if (!this.hasFocus) this.element.focus();
  }

  async #showMore(): Promise<void> {
    const last = this.#itemsInOrder().at(-1);
    await this.list()?.more();
    const items = this.#itemsInOrder();
    // The reader goes on with the first of the older messages.
    if (last) items[items.indexOf(last) + 1]?.main.focus();
  }

  #pressed(event: KeyboardEvent): void {
    const items = this.#itemsInOrder();
    const focused = this.#itemOf(event.target);
    const at = focused ? items.indexOf(focused) : -1;
    const last = items.length - 1;
    const goTo = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
    if (goTo !== undefined) {
      event.preventDefault();
      items[goTo]?.main.focus();
    } else if (event.key === 'Delete' && focused) {
      this.#archive(focused);
    }
  }

  #itemOf(target: EventTarget | null): MessageItem | undefined {
    const element = (target as Element | null)?.closest<HTMLElement>('li');
    return element ? this.#drawn.get(Number(element.dataset.id)) : undefined;
  }

  #itemsInOrder(): MessageItem[] {
    return [...this.#items.children].flatMap((element) => this.#itemOf(element) ?? []);
  }
}
