import { escapeText } from '../http/html-page.js';
import type { HtmlPage } from '../http/html-page.js';
import { maskedAddress, paragraph, recipientPage } from './recipient-layout.js';
import { speak } from './texts.js';
import type { Language, TextName } from './texts.js';

/** The person of a link and its category, as the page shows them. */
export interface Subscription {
  organization: string;
  color: string | null;
  email: string;
  categoryName: string;
  categoryDescription: string;
  isRequired: boolean;
}

/** What the page is for: to ask, or to say what was done. */
export type Step = 'ask' | 'unsubscribed' | 'undone';

const TEXT: Record<Step, [title: TextName, about: TextName]> = {
  ask: ['unsubscribe_title', 'unsubscribe_from'],
  unsubscribed: ['unsubscribed_title', 'unsubscribed_from'],
  undone: ['undone_title', 'undone_from'],
};

/** `link`: the way from the page to the page of the link. It is relative, because a proxy may serve it below another path. */
export function unsubscribePage(subscription: Subscription, step: Step, language: Language, link: string): HtmlPage {
  const say = speak(language);
  const { organization, color, email, categoryName, categoryDescription, isRequired } = subscription;
  const names = { organization, category: categoryName, address: maskedAddress(email) };
  const [title, about] = TEXT[step];
  const button = (action: string, name: TextName, kind = '') =>
    `<form method="post" action="${escapeText(action)}"><button${kind && ` class="${kind}"`}>${escapeText(say(name))}</button></form>`;
  const body = [
    paragraph(say(about, names)),
    ...(categoryDescription === '' ? [] : [paragraph(categoryDescription)]),
    ...(isRequired ? [paragraph(say('required', names), 'notice')] : []),
    step === 'unsubscribed' ? button(`${link}/undo`, 'undo', 'quiet') : button(link, 'unsubscribe'),
    `<p class="more"><a href="${escapeText(link)}/preferences">${escapeText(say('all_choices', names))}</a></p>`,
  ];
  return recipientPage({ language, organization, color, title: say(title, names), body: body.join('\n') });
}

/** The same page for a wrong token and for one whose person or category is gone: nobody can tell them apart. */
export function plainPage(kind: 'gone' | 'busy', language: Language): HtmlPage {
  const say = speak(language);
  return recipientPage({ language, title: say(`${kind}_title`), body: paragraph(say(kind)) });
}
