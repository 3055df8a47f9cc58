// A constructed style sheet needs no `style-src` in a Content-Security-Policy. `%bell` stands for the part `bell`, and blanks are left out: every page
// loads this text.
const css = `
:host{
display:inline-block;
color-scheme:light dark;
--c-background:var(--carillon-background,light-dark(#ffffff,#1c1e22));
--c-color:var(--carillon-color,light-dark(#1c1f24,#eceef1));
--c-muted:var(--carillon-muted,light-dark(#5c6470,#a2a9b4));
--c-border:var(--carillon-border,light-dark(#e4e7ec,#33373e));
--c-hover:var(--carillon-hover,light-dark(#f5f6f8,#26292f));
--c-accent:var(--carillon-accent,var(--c-brand,light-dark(#2f5bd7,#8fb0ff)));
--c-badge:var(--carillon-badge,light-dark(#c8242f,#ff8a8a));
--c-badge-color:var(--carillon-badge-color,light-dark(#ffffff,#2a0a0c));
--c-radius:var(--carillon-radius,12px);
--c-font:var(--carillon-font,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif);
}
:host([theme='light']){color-scheme:light;}
:host([theme='dark']){color-scheme:dark;}
:host([hidden]),[hidden]{display:none !important;}
*{box-sizing:border-box;}
button,a{font:inherit;color:inherit;text-align:start;}
button{border:0;background:none;padding:0;cursor:pointer;}
:focus-visible{outline:2px solid var(--c-accent);outline-offset:2px;}
svg{display:block;width:1em;height:1em;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round;}
%bell{position:relative;display:grid;place-items:center;width:40px;height:40px;border-radius:50%;font-size:22px;}
%bell:hover{background:color-mix(in srgb,currentColor 9%,transparent);}
%badge{position:absolute;inset-block-start:2px;inset-inline-start:21px;min-width:18px;height:18px;padding:0 5px;border-radius:9px;background:var(--c-badge);color:var(--c-badge-color);font:600 11px/18px var(--c-font);font-variant-numeric:tabular-nums;text-align:center;forced-color-adjust:none;}
%panel{position:fixed;inset:auto;margin:0;padding:0;border:1px solid var(--c-border);border-radius:var(--c-radius);width:min(var(--carillon-width,384px),100vw - 16px);background:var(--c-background);color:var(--c-color);font:400 14px/1.45 var(--c-font);letter-spacing:normal;text-align:start;box-shadow:0 1px 2px rgb(0 0 0 / 6%),0 12px 32px -8px rgb(0 0 0 / 22%);overflow:hidden;}
%panel:popover-open{display:flex;flex-direction:column;}
%panel:focus{outline:none;}
%brand{padding:14px 20px 0;color:var(--c-muted);font-size:13px;font-weight:600;line-height:20px;overflow-wrap:anywhere;}
%logo{display:block;max-width:100%;max-height:32px;width:auto;height:auto;border-radius:4px;background:light-dark(transparent,#fff);box-shadow:0 0 0 4px light-dark(transparent,#fff);}
%header{display:flex;align-items:center;gap:16px;justify-content:space-between;padding:14px 16px 12px 20px;border-block-end:1px solid var(--c-border);}
%header:dir(rtl){padding:14px 20px 12px 16px;}
%title{margin:0;font-size:16px;font-weight:650;letter-spacing:-.01em;line-height:24px;}
%read-all,%retry,%more{color:var(--c-accent);font-size:13px;font-weight:550;border-radius:6px;padding:4px 6px;white-space:nowrap;}
%read-all:hover,%retry:hover,%more:hover{text-decoration:underline;text-underline-offset:3px;}
%tabs{display:flex;gap:2px;flex:none;overflow-x:auto;padding:0 12px;border-block-end:1px solid var(--c-border);scrollbar-width:none;}
%header:has(+ %tabs){border:0;padding-block-end:4px;}
%tab{flex:none;max-width:160px;overflow:hidden;text-overflow:ellipsis;padding:8px 8px 9px;border-block-end:2px solid transparent;color:var(--c-muted);font-size:13px;font-weight:500;white-space:nowrap;}
%tab:hover{color:var(--c-color);}
%chosen{color:var(--c-accent);border-color:currentColor;}
%error{display:flex;align-items:center;justify-content:space-between;gap:12px;padding:8px 14px 8px 20px;background:var(--c-hover);border-block-end:1px solid var(--c-border);color:var(--c-muted);font-size:13px;}
%body{overflow-y:auto;overscroll-behavior:contain;min-height:0;}
%list{list-style:none;margin:0;padding:0;}
%item{position:relative;}
%item + %item{border-block-start:1px solid var(--c-border);}
%message{position:relative;display:grid;grid-template-columns:1fr auto;column-gap:12px;row-gap:2px;width:100%;padding:13px 20px 14px;padding-inline-start:30px;text-decoration:none;}
%item:hover,%item:focus-within{background:var(--c-hover);}
%message:focus-visible{outline-offset:-3px;border-radius:6px;}
%dot{position:absolute;inset-inline-start:13px;inset-block-start:20px;width:8px;height:8px;border-radius:50%;background:var(--c-accent);forced-color-adjust:none;}
%subject{min-width:0;overflow-wrap:anywhere;font-weight:450;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;}
%unread %subject{font-weight:600;}
%time{color:var(--c-muted);font-size:12px;line-height:20px;white-space:nowrap;font-variant-numeric:tabular-nums;}
%text{grid-column:1;min-width:0;color:var(--c-muted);font-size:13px;white-space:pre-line;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;}
%expanded :is(%text,%subject){display:block;}
%image{grid-column:1 / -1;width:100%;max-height:180px;margin-block-start:8px;border-radius:8px;object-fit:cover;background:var(--c-border);}
%text:empty{display:none;}
%actions{display:flex;flex-wrap:wrap;gap:8px;padding:0 20px 14px;padding-inline-start:30px;}
%action{max-width:100%;padding:6px 12px;border:1px solid var(--c-border);border-radius:8px;background:var(--c-background);font-size:13px;font-weight:550;text-decoration:none;overflow-wrap:anywhere;}
%action:hover{border-color:currentColor;}
%tools{position:absolute;inset-inline-end:12px;inset-block-start:36px;display:flex;border-radius:8px;background:var(--c-hover);opacity:0;}
%item:hover %tools,%item:focus-within %tools{opacity:1;}
%tool{position:relative;display:grid;place-items:center;min-width:32px;height:32px;border-radius:8px;color:var(--c-muted);font-size:17px;}
select{position:absolute;inset:0;width:100%;opacity:0;cursor:pointer;}
%tool:has(:focus-visible){outline:2px solid var(--c-accent);}
%tool:hover{background:color-mix(in srgb,currentColor 12%,transparent);color:var(--c-color);}
%message{min-height:72px;align-content:start;}
%empty{display:grid;justify-items:center;gap:4px;margin:0;padding:44px 24px 52px;text-align:center;color:var(--c-muted);}
%empty svg{font-size:32px;margin-block-end:10px;opacity:.6;}
%empty strong{color:var(--c-color);font-weight:600;}
%more{display:block;width:100%;padding:13px;border-block-start:1px solid var(--c-border);text-align:center;border-radius:0;}
%tab:focus-visible,%more:focus-visible{outline-offset:-3px;}
%loading{display:grid;gap:26px;padding:20px 20px 26px 30px;}
%loading i{display:grid;gap:8px;}
%loading i::before,%loading i::after{content:'';height:10px;width:45%;border-radius:5px;background:var(--c-border);}
%loading i::after{width:80%;opacity:.6;}
%live{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;}
@media (hover:none){%tools{position:static;justify-content:end;margin:-8px 12px 6px;background:none;opacity:1;}}
@media (width <= 480px){
%panel{inset:auto 0 0 0 !important;width:100%;max-height:85dvh !important;min-height:50dvh;border-width:1px 0 0;border-end-start-radius:0;border-end-end-radius:0;padding-block-end:env(safe-area-inset-bottom);}
%panel::backdrop{background:rgb(0 0 0 / 32%);}
%read-all,%retry,%more{padding-block:10px;margin-block:-6px;font-size:14px;}
%more{margin-block:0;padding-block:16px;}
%tool{min-width:44px;height:40px;}
%tab{padding:11px 10px 12px;font-size:14px;}
%action{padding-block:10px;}}
@media (prefers-reduced-motion:no-preference){
%bell,%item,%tools{transition:background-color .12s,opacity .12s;}
%panel{transition:opacity .14s ease-out,translate .14s ease-out;}
@starting-style{%panel:popover-open{opacity:0;translate:0 -4px;}}
%loading i{animation:breathe 1.4s ease-in-out infinite alternate;}
@keyframes breathe{to{opacity:.45;}}
}
`;

const COLOR = /^#[0-9a-f]{6}$/;

/** The color of an organization, for one element. A color of the page wins. */
export const brandCss = ({ light, dark }: { light: string; dark: string }): string =>
  COLOR.test(light) && COLOR.test(dark) ? `:host { --c-brand: light-dark(${light}, ${dark}); }` : '';

export function createSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css.replace(/%([a-z-]+)/g, '[part~=$1]'));
  return sheet;
}
