import { createHash } from 'node:crypto';

const STYLE = `
  :root { color-scheme: light dark; --line: #8886; --accent: #3b5bdb; --on-accent: #fff; }
  * { box-sizing: border-box; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 10vh auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.75rem; line-height: 1.25; margin: 0; }
  p { margin: 0.25rem 0 1.5rem; opacity: 0.8; }
`;

const ICON =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><text y="13" font-size="13">&#128276;</text></svg>';

interface PageParts {
  lang?: string;
  /** Left out: from left to right. */
  dir?: 'ltr' | 'rtl';
  title: string;
  /** Added to the style that all pages share. */
  style: string;
  /** Whether it shows images of this service. */
  hasImages?: boolean;
  /** HTML. */
  body: string;
}

export interface HtmlPage {
  html: string;
  /** Its `Content-Security-Policy`: it loads nothing but images of this service, and runs nothing. Only its own style counts, and forms go to the same host. */
  policy: string;
}

/** A page for a browser. */
export function htmlPage({ lang = 'en', dir = 'ltr', title, style, hasImages = false, body }: PageParts): HtmlPage {
  const whole = STYLE + style;
  const hash = createHash('sha256').update(whole).digest('base64');
  return {
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src ${hasImages ? "'self' " : ''}data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    html: `<!DOCTYPE html>
<html lang="${lang}"${dir === 'rtl' ? ' dir="rtl"' : ''}>
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${escapeText(title)}</title>
  <link rel="icon" href='${ICON}'>
  <style>${whole}</style>
</head>
<body>
${body}
</body>
</html>
`,
  };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text for the content of an element, or for an attribute in quotes. */
export const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
