import { escapeText, htmlPage } from '../../platform/http/html-page.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { directionOf } from '../../rules/template/layout/direction.js';
import { logoPath } from '../logo/logo.js';
import type { StoredLogo } from '../logo/logo.js';
import { accentStyle } from './accent.js';
import type { Language, PageTexts } from './texts.js';

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
  header img { display: block; max-width: 100%; height: auto; }
  footer { border-top: 1px solid var(--line); font-size: 0.875rem; margin-top: 3rem; opacity: 0.8; padding-top: 1rem; }
  @media (prefers-color-scheme: dark) { header img { background: #fff; border-radius: 6px; box-sizing: content-box; padding: 0.5rem; } }
`;

/** How the organization of a page looks. */
export interface PageBrand {
  organization: string;
  slug: string;
  color: string | null;
  logo: StoredLogo | null;
  address: string | null;
  links: { label: string; url: string }[] | null;
  pageTexts: PageTexts | null;
}

interface RecipientPage {
  language: Language;
  /** Left out: the page of nobody. */
  brand?: PageBrand;
  /** The way from the page to the page of the link. */
  link?: string;
  title: string;
  /** HTML below the title. */
  body: string;
}

/** A page that shows the name or logo, the color, the address and the links of the organization. */
export function recipientPage({ language, brand, link = '', title, body }: RecipientPage): HtmlPage {
  return htmlPage({
    lang: language,
    dir: directionOf(language),
    title,
    style: STYLE + accentStyle(brand?.color ?? null),
    hasImages: !!brand?.logo,
    body: [
      `<header>${brand ? nameOf(brand, link) : ''}</header>`,
      `<main>\n<h1>${escapeText(title)}</h1>\n${body}\n</main>`,
      ...(brand?.address || brand?.links ? [footer(brand)] : []),
    ].join('\n'),
  });
}

function nameOf({ organization, slug, logo }: PageBrand, link: string): string {
  const name = escapeText(organization);
  if (!logo) return name;
  // The page of a link is at /u/TOKEN, below any path.
  const src = escapeText(`${link}/../..${logoPath(slug, logo)}`);
  return `<img src="${src}" alt="${name}" width="${logo.width}" height="${logo.height}">`;
}

function footer({ organization, address, links }: PageBrand): string {
  const anchors = (links ?? []).map(
    ({ label, url }) => `<a href="${escapeText(url)}" rel="noreferrer">${escapeText(label)}</a>`,
  );
  const line = [organization, ...(address ? [address] : [])].map(escapeText).join(' · ');
  return `<footer>${anchors.length > 0 ? `<nav>${anchors.join(' · ')}</nav>` : ''}${line}</footer>`;
}

export const paragraph = (text: string, kind = '') => `<p${kind && ` class="${kind}"`}>${escapeText(text)}</p>`;

/** The beginning of an e-mail address and its domain: a mail may have been forwarded to somebody else. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
