import { createHash } from 'node:crypto';

/**
 * Receives the HTML of a message from the page around it and shows it. The policy below makes all that a message could bring along dead text; what could lead
 * the frame itself to another address is taken out. The page chooses light or dark: media queries would follow the browser.
 */
const SCRIPT = `
const SCHEME = /\\(\\s*prefers-color-scheme\\s*:\\s*(dark|light)\\s*\\)/gi;
const LEADS_AWAY = 'script, meta, base, link, iframe, frame, frameset, object, embed, portal, animate, set';
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data.html !== 'string') return;
  const parsed = new DOMParser().parseFromString(data.html, 'text/html');
  for (const element of parsed.querySelectorAll(LEADS_AWAY)) element.remove();
  for (const link of parsed.querySelectorAll('a, area')) {
    const target = link.getAttribute('href') ?? link.getAttribute('xlink:href');
    if (target !== null) link.setAttribute('title', target);
    for (const name of ['href', 'xlink:href', 'ping', 'target']) link.removeAttribute(name);
    link.setAttribute('data-link', '');
  }
  for (const style of parsed.querySelectorAll('style'))
    style.textContent = style.textContent.replace(SCHEME, (_, scheme) => ((scheme.toLowerCase() === 'dark') === data.isDark ? '(min-width: 0)' : '(max-width: 0)'));
  document.documentElement.dataset.scheme = data.isDark ? 'dark' : 'light';
  for (const name of ['style', 'class', 'bgcolor', 'dir']) {
    const value = parsed.body.getAttribute(name);
    if (value === null) document.body.removeAttribute(name);
    else document.body.setAttribute(name, value);
  }
  document.documentElement.dir = parsed.documentElement.dir;
  document.body.replaceChildren(...parsed.head.querySelectorAll('style'), ...parsed.body.childNodes);
  report();
});
function report() {
  const { marginTop, marginBottom } = getComputedStyle(document.body);
  const height = document.body.offsetHeight + parseFloat(marginTop) + parseFloat(marginBottom);
  parent.postMessage({ height: Math.ceil(height) }, '*');
}
new ResizeObserver(report).observe(document.body);
parent.postMessage({ ready: true }, '*');
`;

/** `:where` weighs nothing: what a message says about its links wins. */
const STYLE = `
html, body { height: auto !important; min-height: 0 !important; }
html { color-scheme: light; background: #fff; }
html[data-scheme='dark'] { color-scheme: dark; background: #16181c; }
html[data-scheme='dark'] body { color: #e8e8ea; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 12px; overflow-wrap: anywhere; color: #1c1b1f; }
img { max-width: 100%; }
:where([data-link]) { color: #2f4ac0; text-decoration: underline; }
:where(html[data-scheme='dark'] [data-link]) { color: #a5b8ff; }
`;

const scriptHash = createHash('sha256').update(SCRIPT).digest('base64');

/** `sandbox`: the frame has no origin, no forms, no popups and no way to the page around it. Only our own script runs; images must be in the message. */
export const MESSAGE_FRAME_POLICY = `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`;

export const MESSAGE_FRAME = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Message</title>
  <style>${STYLE}</style>
</head>
<body>
<script>${SCRIPT}</script>
</body>
</html>
`;
