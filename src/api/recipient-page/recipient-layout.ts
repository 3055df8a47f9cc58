import { escapeText, htmlPage } from '../../platform/http/html-page.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { directionOf } from '../../rules/template/layout/direction.js';
import { accentStyle } from './accent.js';
import type { Language } from './texts.js';

const STYLE = `
  body { margin: 0 auto; padding-bottom: 3rem; }
  html { border-top: 6px solid var(--accent); }
  header { margin-bottom: 2.5rem; padding-top: 1rem; font-weight: 600; }
  h1 { margin-bottom: 0.5rem; }
  h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
  p, li, label, legend, input, select, button { font-size: 1rem; }
  fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 0.75rem; padding: 0.75rem 1rem 1rem; min-width: 0; }
  legend { font-weight: 600; padding: 0 0.25rem; margin-inline-start: -0.25rem; }
  fieldset p { margin: 0 0 0.5rem; }
  .row { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; }
  label.check { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; }
  label.check input { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--accent); }
  label.field { display: block; margin: 0.25rem 0 0.75rem; }
  .master { margin-top: 2.5rem; }
  label.field select, label.field input { display: block; margin-top: 0.25rem; padding: 0.5rem; max-width: 100%; min-height: 2.75rem; }
  button { background: var(--accent); color: var(--on-accent); border: 1px solid var(--line); border-radius: 8px; cursor: pointer;
    font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0.5rem 1.5rem; }
  button.quiet { background: transparent; color: inherit; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  .notice { border-inline-start: 4px solid var(--accent); margin: 0 0 1.5rem; opacity: 1; padding: 0.5rem 1rem; background: #8881; }
  .more { margin-top: 2.5rem; }
  a { color: inherit; }
`;

interface RecipientPage {
  language: Language;
  organization?: string;
  color?: string | null;
  title: string;
  /** HTML below the title. */
  body: string;
}

/** A page that wears the name and the colour of the organization. */
export function recipientPage({ language, organization, color = null, title, body }: RecipientPage): HtmlPage {
  const header = organization === undefined ? '' : escapeText(organization);
  return htmlPage({
    lang: language,
    dir: directionOf(language),
    title,
    style: STYLE + accentStyle(color),
    body: `<header>${header}</header>\n<main>\n<h1>${escapeText(title)}</h1>\n${body}\n</main>`,
  });
}

export const paragraph = (text: string, kind = '') => `<p${kind && ` class="${kind}"`}>${escapeText(text)}</p>`;

/** The beginning of an e-mail address and its domain: a mail may have been forwarded to somebody else. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
