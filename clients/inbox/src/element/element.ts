import { InboxClient } from '../client/inbox-client.js';
import { InboxList } from '../client/inbox-list.js';
import type { Brand, Counts, InboxMessage } from '../client/message.js';
import { fetchToken } from '../client/token-source.js';
import type { TokenFunction } from '../client/token-source.js';
import { Announcer } from './announcer.js';
import { Bell } from './bell.js';
import { Panel } from './panel.js';
import { place } from './place.js';
import { brandCss, createSheet } from './style.js';
import { isRightToLeft, readTexts } from './texts.js';
import type { Texts } from './texts.js';

export * from '../index.js';
export type { Texts } from './texts.js';

const MINUTE_MS = 60_000;

// On a server there are no elements: there this file can be imported, and does nothing.
const Parent: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** `<carillon-inbox>`: a bell with a badge, and the messages of a user behind it. */
export class CarillonInboxElement extends Parent {
  static readonly observedAttributes = ['url', 'organization', 'username', 'token-url', 'badge', 'texts', 'lang'];
  static #sheet: CSSStyleSheet | undefined;

  readonly #brandSheet = new CSSStyleSheet();
  readonly #bell = new Bell();
  readonly #panel = new Panel(
    () => this.#list,
    (message) => this.#dispatch('message', { message }, true),
    (message, action) => this.#dispatch('action', { message, action }, true),
  );
  readonly #announcer = new Announcer();
  #token: TokenFunction | null = null;
  #client: InboxClient | null = null;
  #texts: Partial<Texts> = {};
  #list: InboxList | null = null;
  /** What the page was told last. */
  #counts: Counts | null = null;
  /** The one that is drawn. */
  #brand: Brand | null = null;
  #isStarting = false;
  /** Whether the messages in the list still have to be marked as seen. */
  #isNew = false;
  /** Ends what runs only while the panel is open. */
  #opened = new AbortController();

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [(CarillonInboxElement.#sheet ??= createSheet()), this.#brandSheet];
    const [bell, panel] = [this.#bell.element, this.#panel.element];
    root.append(bell, panel, this.#announcer.element);
    bell.popoverTargetElement = panel;
    panel.addEventListener('beforetoggle', (event) => {
      if (event.newState === 'closed') return this.#panel.hasFocus && bell.focus();
      if (!this.#dispatch('open', {}, true)) event.preventDefault();
    });
    panel.addEventListener('toggle', () => this.#toggled());
  }

  /** Answers a token for the user. Without it, `token-url` is asked. */
  get token(): TokenFunction | null {
    return this.#token;
  }
  set token(token: TokenFunction | null) {
    this.#token = token;
    this.#restart();
  }

  /** A client of your own, instead of `url`, `organization`, `username` and a token. */
  get client(): InboxClient | null {
    return this.#client;
  }
  set client(client: InboxClient | null) {
    this.#client = client;
    this.#restart();
  }

  /** The texts of the language that the page is in, or of the browser. Those of the organization replace them, and those that are given replace both. */
  get texts(): Texts {
    return readTexts(this.#language, {
      ...{ ofBrand: this.#brand?.texts, json: this.getAttribute('texts'), texts: this.#texts },
    });
  }
  set texts(texts: Partial<Texts>) {
    this.#texts = texts;
    this.#draw();
  }

  get isOpen(): boolean {
    return this.#panel.isOpen;
  }

  open(): void {
    if (!this.isOpen) this.#panel.element.showPopover();
  }

  close(): void {
    if (this.isOpen) this.#panel.element.hidePopover();
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
  }

  disconnectedCallback(): void {
    this.#stop();
  }

  attributeChangedCallback(name: string): void {
    if (['badge', 'texts', 'lang'].includes(name)) this.#draw();
    else this.#restart();
  }

  /** Properties and attributes are often set one after the other: they count once. */
  #restart(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      this.#stop();
      if (this.isConnected) this.#start();
    });
  }

  #start(): void {
    const client = this.#client ?? this.#createClient();
    if (client) {
      const onMessage = (message: InboxMessage) => this.#arrived(message);
      this.#list = new InboxList(client, () => this.#draw(), onMessage);
    }
    this.#toggled();
  }

  #stop(): void {
    this.#opened.abort();
    this.#list?.close();
    this.#list = null;
  }

  #createClient(): InboxClient | null {
    const [url, organization, username, tokenUrl] = ['url', 'organization', 'username', 'token-url'].map((name) =>
      this.getAttribute(name),
    );
    const token = this.#token ?? (tokenUrl ? () => fetchToken(tokenUrl) : null);
    return url && organization && username && token ? new InboxClient({ url, organization, username, token }) : null;
  }

  #toggled(): void {
    const { isOpen } = this;
    const [bell, panel] = [this.#bell.element, this.#panel.element];
    const wasOpen = bell.ariaExpanded === 'true';
    bell.ariaExpanded = String(isOpen);
    this.#isNew = isOpen;
    this.#opened.abort();
    this.#list?.watch(isOpen);
    this.#draw();
    if (wasOpen && !isOpen) this.#dispatch('close', {});
    if (!isOpen) return;
    this.#opened = new AbortController();
    const { signal } = this.#opened;
    const move = () => place(panel, bell);
    document.addEventListener('visibilitychange', () => this.#draw(), { signal });
    addEventListener('resize', move, { signal });
    addEventListener('scroll', move, { signal, capture: true });
    const clock = setInterval(() => this.#draw(), MINUTE_MS); // "5 min. ago"
    signal.addEventListener('abort', () => clearInterval(clock));
    move();
    if (!wasOpen) panel.focus();
  }

  #arrived(message: InboxMessage): void {
    this.#isNew = this.isOpen;
    this.#announcer.add(message, this.texts);
    this.#dispatch('new', { message });
  }

  #dispatch(name: string, detail: object, cancelable = false): boolean {
    const options = { detail, cancelable, bubbles: true, composed: true };
    return this.dispatchEvent(new CustomEvent(`carillon-${name}`, options));
  }

  get #language(): string {
    return this.lang || this.closest<HTMLElement>('[lang]')?.lang || navigator.language;
  }

  #drawBrand(brand: Brand | null): void {
    if (brand === this.#brand) return;
    this.#brand = brand;
    this.#brandSheet.replaceSync(brand?.accent ? brandCss(brand.accent) : '');
    this.#panel.drawBrand(brand);
  }

  #draw(): void {
    const list = this.#list;
    this.#drawBrand(list?.brand ?? null);
    const { texts } = this;
    const counts = list?.counts ?? null;
    this.#bell.draw(counts, this.getAttribute('badge'), texts);
    if (counts && (counts.unread !== this.#counts?.unread || counts.unseen !== this.#counts.unseen)) {
      this.#counts = counts;
      this.#dispatch('counts', { ...counts });
    }
    if (!this.isOpen || !list) return;
    this.#panel.element.dir = isRightToLeft(this.#language) ? 'rtl' : '';
    this.#panel.draw(list, texts, this.#language);
    if (!this.#isNew || !list.isLoaded || list.isLoading || document.hidden) return;
    this.#isNew = false;
    void list.seen();
  }
}

const { customElements } = globalThis;
if (customElements && !customElements.get('carillon-inbox'))
  customElements.define('carillon-inbox', CarillonInboxElement);

declare global {
  interface HTMLElementTagNameMap {
    'carillon-inbox': CarillonInboxElement;
  }
}
