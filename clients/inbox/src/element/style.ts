// A constructed style sheet needs no `style-src` in a Content-Security-Policy.
const css = `
:host {
  display: inline-block;
  color-scheme: light dark;
  --c-background: var(--carillon-background, light-dark(#ffffff, #1c1e22));
  --c-color: var(--carillon-color, light-dark(#1c1f24, #eceef1));
  --c-muted: var(--carillon-muted, light-dark(#5c6470, #a2a9b4));
  --c-border: var(--carillon-border, light-dark(#e4e7ec, #33373e));
  --c-hover: var(--carillon-hover, light-dark(#f5f6f8, #26292f));
  --c-accent: var(--carillon-accent, var(--c-brand, light-dark(#2f5bd7, #8fb0ff)));
  --c-badge: var(--carillon-badge, light-dark(#c8242f, #ff8a8a));
  --c-badge-color: var(--carillon-badge-color, light-dark(#ffffff, #2a0a0c));
  --c-radius: var(--carillon-radius, 12px);
  --c-font: var(--carillon-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
}
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
button, a { font: inherit; color: inherit; text-align: start; }
button { border: 0; background: none; padding: 0; cursor: pointer; }
:focus-visible { outline: 2px solid var(--c-accent); outline-offset: 2px; }
svg { display: block; width: 1em; height: 1em; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }

[part~='bell'] { position: relative; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; font-size: 22px; }
[part~='bell']:hover { background: color-mix(in srgb, currentColor 9%, transparent); }
[part~='badge'] { position: absolute; inset-block-start: 2px; inset-inline-start: 21px; min-width: 18px; height: 18px; padding: 0 5px; border-radius: 9px; background: var(--c-badge); color: var(--c-badge-color); font: 600 11px/18px var(--c-font); font-variant-numeric: tabular-nums; text-align: center; forced-color-adjust: none; }

[part~='panel'] { position: fixed; inset: auto; margin: 0; padding: 0; border: 1px solid var(--c-border); border-radius: var(--c-radius); width: min(var(--carillon-width, 384px), 100vw - 16px); background: var(--c-background); color: var(--c-color); font: 400 14px/1.45 var(--c-font); letter-spacing: normal; text-align: start; box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 12px 32px -8px rgb(0 0 0 / 22%); overflow: hidden; }
[part~='panel']:popover-open { display: flex; flex-direction: column; }
[part~='panel']:focus { outline: none; }
[part~='brand'] { padding: 14px 20px 0; color: var(--c-muted); font-size: 13px; font-weight: 600; line-height: 20px; overflow-wrap: anywhere; }
[part~='logo'] { display: block; max-width: 100%; max-height: 32px; width: auto; height: auto; border-radius: 4px; background: light-dark(transparent, #fff); box-shadow: 0 0 0 4px light-dark(transparent, #fff); }
[part~='header'] { display: flex; align-items: center; gap: 16px; justify-content: space-between; padding: 14px 16px 12px 20px; border-block-end: 1px solid var(--c-border); }
[part~='header']:dir(rtl) { padding: 14px 20px 12px 16px; }
[part~='title'] { margin: 0; font-size: 16px; font-weight: 650; letter-spacing: -.01em; line-height: 24px; }
[part~='read-all'], [part~='retry'], [part~='more'] { color: var(--c-accent); font-size: 13px; font-weight: 550; border-radius: 6px; padding: 4px 6px; white-space: nowrap; }
[part~='read-all']:hover, [part~='retry']:hover, [part~='more']:hover { text-decoration: underline; text-underline-offset: 3px; }
[part~='error'] { display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 8px 14px 8px 20px; background: var(--c-hover); border-block-end: 1px solid var(--c-border); color: var(--c-muted); font-size: 13px; }
[part~='body'] { overflow-y: auto; overscroll-behavior: contain; min-height: 0; }
[part~='list'] { list-style: none; margin: 0; padding: 0; }

[part~='item'] { position: relative; }
[part~='item'] + [part~='item'] { border-block-start: 1px solid var(--c-border); }
[part~='message'] { position: relative; display: grid; grid-template-columns: 1fr auto; column-gap: 12px; row-gap: 2px; width: 100%; padding: 13px 20px 14px; padding-inline-start: 30px; text-decoration: none; }
[part~='message']:hover, [part~='item']:focus-within [part~='message'] { background: var(--c-hover); }
[part~='message']:focus-visible { outline-offset: -3px; border-radius: 6px; }
[part~='dot'] { position: absolute; inset-inline-start: 13px; inset-block-start: 20px; width: 8px; height: 8px; border-radius: 50%; background: var(--c-accent); forced-color-adjust: none; }
[part~='subject'] { min-width: 0; overflow-wrap: anywhere; font-weight: 450; }
[part~='unread'] [part~='subject'] { font-weight: 600; }
[part~='time'] { color: var(--c-muted); font-size: 12px; line-height: 20px; white-space: nowrap; font-variant-numeric: tabular-nums; }
[part~='text'] { grid-column: 1; min-width: 0; color: var(--c-muted); font-size: 13px; white-space: pre-line; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
[part~='expanded'] [part~='text'] { display: block; }
[part~='text']:empty { display: none; }
[part~='archive'] { position: absolute; inset-inline-end: 12px; inset-block-start: 34px; display: grid; place-items: center; width: 32px; height: 32px; border-radius: 8px; color: var(--c-muted); font-size: 17px; opacity: 0; }
[part~='item']:hover [part~='archive'], [part~='item']:focus-within [part~='archive'] { opacity: 1; }
[part~='archive']:hover { background: color-mix(in srgb, currentColor 12%, transparent); color: var(--c-color); }
[part~='message'] { min-height: 72px; align-content: start; }

[part~='empty'] { display: grid; justify-items: center; gap: 4px; margin: 0; padding: 44px 24px 52px; text-align: center; color: var(--c-muted); }
[part~='empty'] svg { font-size: 32px; margin-block-end: 10px; opacity: .6; }
[part~='empty'] strong { color: var(--c-color); font-weight: 600; }
[part~='more'] { display: block; width: 100%; padding: 13px; border-block-start: 1px solid var(--c-border); text-align: center; border-radius: 0; }
[part~='more']:focus-visible { outline-offset: -3px; }
[part~='loading'] { display: grid; gap: 26px; padding: 20px 20px 26px 30px; }
[part~='loading'] i { display: grid; gap: 8px; }
[part~='loading'] i::before, [part~='loading'] i::after { content: ''; height: 10px; width: 45%; border-radius: 5px; background: var(--c-border); }
[part~='loading'] i::after { width: 80%; opacity: .6; }
[part~='live'] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (hover: none) { [part~='archive'] { opacity: 1; } }
@media (width <= 480px) {
  [part~='panel'] { inset: auto 0 0 0 !important; width: 100%; max-height: 85dvh !important; min-height: 50dvh; border-width: 1px 0 0; border-end-start-radius: 0; border-end-end-radius: 0; padding-block-end: env(safe-area-inset-bottom); }
  [part~='panel']::backdrop { background: rgb(0 0 0 / 32%); }
  [part~='read-all'], [part~='retry'], [part~='more'] { padding-block: 10px; margin-block: -6px; font-size: 14px; }
  [part~='more'] { margin-block: 0; padding-block: 16px; }
  [part~='archive'] { width: 40px; height: 40px; inset-inline-end: 8px; }
}
@media (prefers-reduced-motion: no-preference) {
  [part~='bell'], [part~='message'], [part~='archive'] { transition: background-color .12s, opacity .12s; }
  [part~='panel'] { transition: opacity .14s ease-out, translate .14s ease-out; }
  @starting-style { [part~='panel']:popover-open { opacity: 0; translate: 0 -4px; } }
  [part~='loading'] i { animation: breathe 1.4s ease-in-out infinite alternate; }
  @keyframes breathe { to { opacity: .45; } }
}
`;

const COLOR = /^#[0-9a-f]{6}$/;

/** The color of an organization, for one element. A color of the page wins. */
export const brandCss = ({ light, dark }: { light: string; dark: string }): string =>
  COLOR.test(light) && COLOR.test(dark) ? `:host { --c-brand: light-dark(${light}, ${dark}); }` : '';

export function createSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
