import { escapeText } from '../../platform/http/html-page.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { maskedAddress, paragraph, recipientPage } from './recipient-layout.js';
import type { PageBrand } from './recipient-layout.js';
import { speak } from './texts.js';
import type { Language, PageTexts, TextName } from './texts.js';

/** The user of a link and its category, as the page shows them. */
interface Subscription extends PageBrand {
  email: string;
  categoryName: string;
  categoryDescription: string;
  isRequired: boolean;
  /** Who has switched mail of the category off, if it is. The link can take back only what it has done itself. */
  offBy: string | null;
}

/** `link`: the way from the page to the page of the link. It is relative, because a proxy may serve it below another path. */
export function unsubscribePage(
  subscription: Subscription,
  language: Language,
  link: string,
  isUndone = false,
): HtmlPage {
  const say = speak(language, subscription.pageTexts);
  const { organization, email, categoryName, categoryDescription, isRequired, offBy } = subscription;
  const names = { organization, category: categoryName, address: maskedAddress(email) };
  const button = (action: string, name: TextName, kind = '') =>
    `<form method="post" action="${escapeText(action)}"><button${kind && ` class="${kind}"`}>${escapeText(say(name))}</button></form>`;
  const [title, about] = textsFor(subscription, isUndone);
  const body = [
    paragraph(say(about, names)),
    ...(categoryDescription === '' ? [] : [paragraph(categoryDescription)]),
    ...(isRequired || offBy !== null ? [] : [button(link, 'unsubscribe')]),
    ...(offBy === 'link' && !isRequired ? [button(`${link}/undo`, 'undo', 'quiet')] : []),
    `<p class="more"><a href="${escapeText(link)}/preferences">${escapeText(say('all_choices', names))}</a></p>`,
  ];
  return recipientPage({ language, brand: subscription, link, title: say(title, names), body: body.join('\n') });
}

function textsFor({ isRequired, offBy }: Subscription, isUndone: boolean): [title: TextName, about: TextName] {
  if (isRequired) return ['required_title', 'required'];
  if (offBy !== null) return ['unsubscribed_title', 'unsubscribed_from'];
  return isUndone ? ['undone_title', 'undone_from'] : ['unsubscribe_title', 'unsubscribe_from'];
}

/** The same page for a wrong token and for one whose user or category is gone: nobody can tell them apart. */
export function plainPage(kind: 'gone' | 'busy', language: Language, own: PageTexts | null = null): HtmlPage {
  const say = speak(language, own);
  return recipientPage({ language, title: say(`${kind}_title`), body: paragraph(say(kind)) });
}
