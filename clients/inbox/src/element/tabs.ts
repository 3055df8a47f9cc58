import type { InboxList } from '../client/inbox-list.js';
import type { View } from '../client/message.js';
import { create, setText } from './dom.js';
import type { Texts } from './texts.js';

interface Tab {
  name: string;
  view: View;
}

const isSame = (a: View, b: View) => a.state === b.state && a.category === b.category;

/** Which messages to show: all, unread ones, those of a category, snoozed and archived ones. */
export class Tabs {
  readonly element = create('div', 'tabs', { role: 'tablist' });
  #shown: Tab[] = [];

  constructor(private readonly onChoose: (view: View) => void) {
    this.element.addEventListener('click', ({ target }) => {
      const tab = this.#shown[this.#buttons.indexOf(target as HTMLElement)];
      if (tab) this.onChoose(tab.view);
    });
    this.element.addEventListener('keydown', (event) => this.#pressed(event));
  }

  get #buttons(): HTMLElement[] {
    return [...this.element.children] as HTMLElement[];
  }

  draw({ categories, view }: InboxList, texts: Texts): void {
    const ofCategories = categories.map(({ slug, name }) => ({ name, view: { category: slug } }));
    const tabs: Tab[] = [
      { name: texts.title, view: {} },
      { name: texts.unread, view: { state: 'unread' } },
      ...ofCategories,
      { name: texts.snoozed, view: { state: 'snoozed' } },
      { name: texts.archived, view: { state: 'archived' } },
    ];
    this.element.ariaLabel = texts.title;
    while (this.element.children.length > tabs.length) this.element.lastElementChild!.remove();
    for (const [at, tab] of tabs.entries()) {
      const button = this.#buttons[at] ?? create('button', 'tab', { type: 'button', role: 'tab', dir: 'auto' });
      if (!button.isConnected) this.element.append(button);
      const isChosen = isSame(tab.view, view);
      setText(button, tab.name);
      button.ariaSelected = String(isChosen);
      button.part.toggle('chosen', isChosen);
      button.tabIndex = isChosen ? 0 : -1;
    }
    this.#shown = tabs;
  }

  /** The arrow keys choose the tab beside, as one sees it. */
  #pressed(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const at = buttons.indexOf(event.target as HTMLElement);
    const step = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1;
    const to = { ArrowRight: at + step, ArrowLeft: at - step }[event.key];
    event.stopPropagation(); // the same keys choose a message elsewhere
    const button = buttons[to ?? -1];
    button?.focus();
    button?.click();
  }
}
