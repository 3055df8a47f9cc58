const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="carillon-${name}"]`)!.content;

/** The folder of the console, such as `https://example.com/carillon/console/`. The service says where it is, seen from this page. */
export const consoleUrl = new URL(meta('base'), location.href);

/** The service itself, without a slash at the end. */
export const serviceUrl = new URL('..', consoleUrl).href.replace(/\/$/, '');

/** Allows the styles that our libraries add at run time. */
export const nonce = meta('nonce');
