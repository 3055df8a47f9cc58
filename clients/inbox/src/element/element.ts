import { InboxClient } from '../client/inbox-client.js';
import { InboxList } from '../client/inbox-list.js';
import type { InboxMessage } from '../client/message.js';
import type { TokenFunction } from '../client/token-source.js';
import { create, icon, setText } from './dom.js';
import { MessageItem } from './message-item.js';
import { place } from './place.js';
import { css } from './style.js';
import { ENGLISH, fill } from './texts.js';
import type { Texts } from './texts.js';

export * from '../index.js';
export type { Texts } from './texts.js';

const BELL = 'M18 9a6 6 0 1 0-12 0c0 6-2.5 7.5-2.5 7.5h17S18 15 18 9M10 20a2.2 2.2 0 0 0 4 0';
const MINUTE_MS = 60_000;
/** Messages that arrive together are announced together. */
const ANNOUNCE_MS = 500;

// On a server there are no elements: the module can be imported there, and does nothing.
const Element: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** `<carillon-inbox>`: a bell with a badge, and the messages of a person behind it. */
export class CarillonInboxElement extends Element {
  static readonly observedAttributes = ['url', 'organization', 'username', 'token-url', 'badge', 'texts', 'lang'];
  static #sheet: CSSStyleSheet | undefined;

  readonly #bell = create('button', 'bell', { type: 'button', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' });
  readonly #badge = create('span', 'badge', { 'aria-hidden': 'true' });
  readonly #panel = create('div', 'panel', { popover: 'auto', role: 'dialog', tabindex: '-1' });
  readonly #title = create('h2', 'title');
  readonly #readAll = create('button', 'read-all', { type: 'button' });
  readonly #errorText = create('span', 'error-text');
  readonly #retry = create('button', 'retry', { type: 'button' });
  readonly #error = create('div', 'error', { role: 'alert' }, this.#errorText, this.#retry);
  readonly #items = create('ul', 'list', { role: 'list' });
  readonly #emptyTitle = create('strong', '');
  readonly #emptyHint = create('span', '');
  readonly #empty = create('p', 'empty', {}, icon(BELL), this.#emptyTitle, this.#emptyHint);
  readonly #loading = create('div', 'loading', { role: 'img' }, ...[1, 2, 3].map(() => create('i', '')));
  readonly #more = create('button', 'more', { type: 'button' });
  readonly #live = create('div', 'live', { role: 'status', 'aria-live': 'polite' });

  #token: TokenFunction | null = null;
  #client: InboxClient | null = null;
  #ownTexts: Partial<Texts> = {};
  #list: InboxList | null = null;
  #drawn = new Map<number, MessageItem>();
  #currentId: number | null = null;
  #hasShown = false;
  #arrived: InboxMessage[] = [];
  #announcing: ReturnType<typeof setTimeout> | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #isStarting = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    CarillonInboxElement.#sheet ??= sheet();
    root.adoptedStyleSheets = [CarillonInboxElement.#sheet];
    this.#bell.append(icon(BELL), this.#badge);
    const header = create('div', 'header', {}, this.#title, this.#readAll);
    const body = create('div', 'body', {}, this.#items, this.#loading, this.#empty, this.#more);
    this.#panel.append(header, this.#error, body);
    root.append(this.#bell, this.#panel, this.#live);
    this.#bell.popoverTargetElement = this.#panel;
    this.#listen();
  }

  /** Answers a token for the person. Without it, `token-url` is asked. */
  get token(): TokenFunction | null {
    return this.#token;
  }
  set token(token: TokenFunction | null) {
    this.#token = token;
    this.#restart();
  }

  /** A client of your own, instead of `url`, `organization`, `username` and `token`. */
  get client(): InboxClient | null {
    return this.#client;
  }
  set client(client: InboxClient | null) {
    this.#client = client;
    this.#restart();
  }

  /** Texts in another language. English stands in for those that are left out. */
  get texts(): Texts {
    return { ...ENGLISH, ...attributeTexts(this.getAttribute('texts')), ...this.#ownTexts };
  }
  set texts(texts: Partial<Texts>) {
    this.#ownTexts = texts;
    this.#draw();
  }

  get isOpen(): boolean {
    return this.#panel.matches(':popover-open');
  }

  open(): void {
    if (!this.isOpen) this.#panel.showPopover();
  }

  close(): void {
    if (this.isOpen) this.#panel.hidePopover();
  }

  connectedCallback(): void {
    // Properties that the page set before this file was loaded.
    for (const name of ['token', 'client', 'texts'] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const { [name]: value } = this;
      delete (this as Record<string, unknown>)[name];
      Object.assign(this, { [name]: value });
    }
    this.#restart();
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  attributeChangedCallback(name: string): void {
    if (['badge', 'texts', 'lang'].includes(name)) this.#draw();
    else this.#restart();
  }

  /** Several properties are often set one after the other: they count once. */
  #restart(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      this.#stop();
      const client = this.isConnected ? (this.#client ?? this.#ownClient()) : null;
      if (!client) return this.#draw();
      this.#list = new InboxList(
        client,
        () => this.#draw(),
        (message) => this.#announce(message),
      );
      this.#list.watch(this.isOpen);
      this.#draw();
    });
  }

  #stop(): void {
    this.#list?.close();
    this.#list = null;
    this.#hasShown = false;
    clearTimeout(this.#announcing);
    clearInterval(this.#clock);
  }

  #ownClient(): InboxClient | null {
    const [url, organization, username, tokenUrl] = ['url', 'organization', 'username', 'token-url'].map((name) =>
      this.getAttribute(name),
    );
    const token = this.#token ?? (tokenUrl ? () => fetchToken(tokenUrl) : null);
    return url && organization && username && token ? new InboxClient({ url, organization, username, token }) : null;
  }

  #listen(): void {
    this.#panel.addEventListener('beforetoggle', (event) => {
      if (event.newState === 'open' && !this.#dispatch('open', {}, true)) event.preventDefault();
    });
    this.#panel.addEventListener('toggle', (event) => this.#toggled(event.newState === 'open'));
    this.#panel.addEventListener('keydown', (event) => this.#pressed(event));
    this.#items.addEventListener('click', (event) => this.#clicked(event));
    this.#items.addEventListener('focusin', ({ target }) => {
      this.#currentId = this.#itemOf(target)?.message.id ?? null;
      this.#draw();
    });
    this.#readAll.addEventListener('click', () => {
      void this.#list?.readAll();
      this.#panel.focus(); // the button is about to disappear
    });
    this.#retry.addEventListener('click', () => {
      this.#list?.retry();
      this.#panel.focus();
    });
    this.#more.addEventListener('click', () => void this.#showMore());
  }

  #toggled(isOpen: boolean): void {
    this.#bell.ariaExpanded = String(isOpen);
    this.#list?.watch(isOpen);
    clearInterval(this.#clock);
    removeEventListener('resize', this.#place);
    removeEventListener('scroll', this.#place, true);
    if (!isOpen) {
      this.#hasShown = false;
      this.#dispatch('close', {});
      return;
    }
    addEventListener('resize', this.#place);
    addEventListener('scroll', this.#place, true);
    this.#clock = setInterval(() => this.#draw(), MINUTE_MS); // "5 min. ago"
    this.#draw();
    this.#place();
    this.#panel.focus();
  }

  readonly #place = (): void => place(this.#panel, this.#bell);

  #clicked(event: MouseEvent): void {
    const item = this.#itemOf(event.target);
    if (!item || !this.#list) return;
    if (event.composedPath().includes(item.archive)) return this.#archive(item);
    const isDefault = this.#dispatch('message', { message: item.message }, true);
    if (!isDefault) event.preventDefault();
    void this.#list.read(item.message);
  }

  #archive(item: MessageItem): void {
    const items = this.#itemsInOrder();
    const at = items.indexOf(item);
    const next = items[at + 1] ?? items[at - 1];
    void this.#list?.archive(item.message);
    (next?.main ?? this.#panel).focus();
  }

  async #showMore(): Promise<void> {
    const last = this.#itemsInOrder().at(-1);
    await this.#list?.more();
    const items = this.#itemsInOrder();
    // The button may be gone: the reader goes on with the first of the older messages.
    if (last) items[items.indexOf(last) + 1]?.main.focus();
  }

  #pressed(event: KeyboardEvent): void {
    const items = this.#itemsInOrder();
    const focused = this.#itemOf(event.target);
    const at = focused ? items.indexOf(focused) : -1;
    const goTo = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: items.length - 1 }[event.key];
    if (goTo !== undefined && items.length > 0) {
      event.preventDefault();
      items[Math.min(goTo, items.length - 1)]?.main.focus();
    } else if (event.key === 'Delete' && focused) {
      this.#archive(focused);
    }
  }

  #itemOf(target: EventTarget | null): MessageItem | undefined {
    const element = (target as HTMLElement | null)?.closest?.('li');
    return element ? this.#drawn.get(Number(element.dataset.id)) : undefined;
  }

  #itemsInOrder(): MessageItem[] {
    return [...this.#items.children].map((element) => this.#itemOf(element)!);
  }

  #announce(message: InboxMessage): void {
    this.#dispatch('new', { message });
    if (this.isOpen) this.#hasShown = false; // it is shown now, and so seen
    this.#arrived.push(message);
    if (this.#arrived.length > 1) return;
    this.#announcing = setTimeout(() => {
      const { newMessage, newMessages } = this.texts;
      const [{ subject }, ...others] = this.#arrived as [InboxMessage, ...InboxMessage[]];
      const n = others.length + 1;
      setText(this.#live, n === 1 ? fill(newMessage, { subject }) : fill(newMessages, { n }));
      this.#arrived = [];
    }, ANNOUNCE_MS);
  }

  #dispatch(name: string, detail: object, cancelable = false): boolean {
    return this.dispatchEvent(
      new CustomEvent(`carillon-${name}`, { detail, cancelable, bubbles: true, composed: true }),
    );
  }

  #draw(): void {
    const list = this.#list;
    const texts = this.texts;
    this.#drawBell(texts);
    if (!this.isOpen || !list) return;
    setText(this.#title, texts.title);
    this.#panel.ariaLabel = texts.title;
    setText(this.#readAll, texts.readAll);
    this.#readAll.hidden = !list.counts?.unread || list.messages.length === 0;
    this.#drawItems(list, texts);
    this.#drawError(list, texts);
    this.#loading.hidden = !list.isLoading || list.isLoaded;
    this.#loading.ariaLabel = texts.loading;
    this.#empty.hidden = !list.isLoaded || list.messages.length > 0;
    setText(this.#emptyTitle, texts.empty);
    setText(this.#emptyHint, texts.emptyHint);
    this.#more.hidden = !list.hasMore;
    setText(this.#more, texts.more);
    if (list.isLoaded && !list.isLoading && !this.#hasShown) {
      this.#hasShown = true;
      void list.seen();
    }
  }

  #drawBell(texts: Texts): void {
    const isUnread = this.getAttribute('badge') === 'unread';
    const counts = this.#list?.counts;
    const count = counts ? (isUnread ? counts.unread : counts.unseen) : 0;
    const n = count > 99 ? '99+' : String(count);
    setText(this.#badge, n);
    this.#badge.hidden = count === 0;
    const label = count === 0 ? texts.title : fill(isUnread ? texts.unreadCount : texts.unseenCount, { n });
    if (this.#bell.ariaLabel !== label) this.#bell.ariaLabel = label;
  }

  #drawError({ error, status }: InboxList, texts: Texts): void {
    const text = error
      ? { read: texts.readError, change: texts.changeError }[error.doing]
      : { connecting: '', live: '', waiting: texts.interrupted, offline: texts.offline }[status];
    this.#error.hidden = text === '';
    setText(this.#errorText, text);
    setText(this.#retry, texts.retry);
  }

  #drawItems({ messages }: InboxList, texts: Texts): void {
    const language = this.lang || this.closest<HTMLElement>('[lang]')?.lang || navigator.language;
    const current = messages.some(({ id }) => id === this.#currentId) ? this.#currentId : messages[0]?.id;
    const old = this.#drawn;
    this.#drawn = new Map(messages.map((message) => [message.id, old.get(message.id) ?? new MessageItem(message)]));
    for (const [id, { element }] of old) if (!this.#drawn.has(id)) element.remove();
    let before: Element | null = null;
    for (const message of messages) {
      const item = this.#drawn.get(message.id)!;
      item.draw(message, texts, language, message.id === current);
      // Only what is in the wrong place is moved: a moved element loses the focus.
      const place: Element | null = before ? before.nextElementSibling : this.#items.firstElementChild;
      if (place !== item.element) this.#items.insertBefore(item.element, place);
      before = item.element;
    }
  }
}

function sheet(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}

function attributeTexts(json: string | null): Partial<Texts> {
  try {
    return json ? (JSON.parse(json) as Partial<Texts>) : {};
  } catch {
    console.error('carillon-inbox: the attribute `texts` must be a JSON object');
    return {};
  }
}

/** Asks the page's own server, which knows who is logged in. */
async function fetchToken(url: string): Promise<string> {
  const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}`);
  return ((await response.json()) as { token: string }).token;
}

globalThis.customElements?.get('carillon-inbox') ?? globalThis.customElements?.define('carillon-inbox', CarillonInboxElement);

declare global {
  interface HTMLElementTagNameMap {
    'carillon-inbox': CarillonInboxElement;
  }
}
