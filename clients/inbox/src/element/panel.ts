import type { InboxList } from '../client/inbox-list.js';
import type { Brand, InboxMessage, MessageAction } from '../client/message.js';
import { BELL } from './bell.js';
import { create, icon, setText } from './dom.js';
import { MessageItem } from './message-item.js';
import { Tabs } from './tabs.js';
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
  readonly #body = create('div', 'body', {}, this.#items, this.#loading, this.#empty, this.#more);
  readonly #tabs = new Tabs((view) => {
    this.#body.scrollTop = 0;
    this.list()?.show(view);
  });
  #drawn = new Map<number, MessageItem>();
  #currentId: number | null = null;

  constructor(
    private readonly list: () => InboxList | null,
    /** Answers false when the page handles the click itself. */
    private readonly onClick: (message: InboxMessage) => boolean,
    private readonly onAction: (message: InboxMessage, action: MessageAction) => boolean,
  ) {
    const header = create('div', 'header', {}, this.#title, this.#readAll);
    this.element.append(this.#brand, header, this.#tabs.element, this.#error, this.#body);
    this.element.addEventListener('keydown', (event) => this.#pressed(event));
    this.#items.addEventListener('click', (event) => this.#clicked(event));
    this.#items.addEventListener('change', ({ target }) => this.#snooze(this.#itemOf(target)));
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
    const isAway = list.view.state === 'archived' || list.view.state === 'snoozed';
    setText(this.#emptyTitle, isAway ? '—' : texts.empty);
    setText(this.#emptyHint, isAway ? '' : texts.emptyHint);
    this.#tabs.draw(list, texts);
    setText(this.#more, texts.more);
    this.#loading.ariaLabel = texts.loading;
    this.#readAll.hidden = isAway || !list.counts?.unread || list.messages.length === 0;
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

  #drawItems({ messages, view }: InboxList, texts: Texts, language: string): void {
    const old = this.#drawn;
    this.#drawn = new Map(messages.map((message) => [message.id, old.get(message.id) ?? new MessageItem(message)]));
    for (const [id, { element }] of old) if (!this.#drawn.has(id)) element.remove();
    let before: Element | null = null;
    for (const message of messages) {
      const item = this.#drawn.get(message.id)!;
      item.draw(message, texts, language, view);
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
    const path = event.composedPath();
    if (path.includes(item.archive)) return this.#archive(item);
    if (path.includes(item.remove)) return this.#takeAway(item, (list) => list.remove(item.message));
    if (path.includes(item.acknowledge)) {
      this.#act((list) => list.acknowledge(item.message));
      return void this.list()?.read(item.message);
    }
    const action = item.actions.find(({ element }) => path.includes(element))?.action;
    if (!action && !path.includes(item.main)) return;
    const isOurs = action ? this.onAction(item.message, action) : this.onClick(item.message);
    if (!isOurs) event.preventDefault();
    else if (!action) item.toggle();
    void this.list()?.read(item.message);
  }

  /** Out of the list, or back into the inbox. */
  #archive(item: MessageItem): void {
    this.#takeAway(item, (list) => {
      const { state } = list.view;
      const act = state === 'snoozed' ? 'unsnooze' : state === 'archived' ? 'unarchive' : 'archive';
      return list[act](item.message);
    });
  }

  #snooze(item: MessageItem | undefined): void {
    if (!item?.snooze.value) return;
    const until = new Date(item.snooze.value);
    item.snooze.selectedIndex = 0;
    this.#takeAway(item, (list) => list.snooze(item.message, until));
  }

  /** The focus moves to the message that takes its place. */
  #takeAway(item: MessageItem, action: (list: InboxList) => unknown): void {
    const items = this.#itemsInOrder();
    const at = items.indexOf(item);
    (items[at + 1] ?? items[at - 1])?.main.focus();
    this.#act(action);
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
      if (focused.remove.hidden) this.#archive(focused);
      else this.#takeAway(focused, (list) => list.remove(focused.message));
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
