import { createHash } from 'node:crypto';

/**
 * Receives the HTML of a message from the page around it and shows it. The policy below makes all that a message could bring along dead text; what could lead
 * the frame itself to another address is taken out.
 */
const SCRIPT = `
const LEADS_AWAY = 'script, meta, base, link, iframe, frame, frameset, object, embed, portal';
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data.html !== 'string') return;
  const parsed = new DOMParser().parseFromString(data.html, 'text/html');
  for (const element of parsed.querySelectorAll(LEADS_AWAY)) element.remove();
  for (const link of parsed.querySelectorAll('a, area')) {
    const target = link.getAttribute('href') ?? link.getAttribute('xlink:href');
    if (target !== null) link.setAttribute('title', target);
    for (const name of ['href', 'xlink:href', 'ping', 'target']) link.removeAttribute(name);
    link.classList.add('link');
  }
  document.body.replaceChildren(...parsed.head.querySelectorAll('style'), ...parsed.body.childNodes);
  const report = () => parent.postMessage({ height: document.documentElement.scrollHeight }, '*');
  new ResizeObserver(report).observe(document.body);
  report();
});
parent.postMessage({ ready: true }, '*');
`;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 12px; overflow-wrap: anywhere; background: #fff; color: #1c1b1f; }
img { max-width: 100%; }
.link { color: #2f4ac0; text-decoration: underline; }
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
