import { readFileSync } from 'node:fs';

const FOLDER = new URL('./', import.meta.url);

/**
 * A mail that came back, as it arrives.
 *
 * Those in `postfix/` and `exim/` were written by Postfix 3.7.11 and Exim 4.96, unpacked from their Debian packages and run in a network of
 * their own (`unshare -m -u -n`) with a server behind them that refused the recipients: `unknown` with `550 5.1.1`, `unknown-plain` with
 * `550` and words only, `full` with `552 5.2.2`, `spam` with `554 5.7.1`, `given-up` with `451 4.7.1` until the queue gave up, `delayed` the
 * same before that. `local` is a recipient that the server itself does not have, `forwarded` one that it forwards to an address that does not
 * exist, `delivered` a mail that asked for a report of success. Exim sends no warnings about delays of automatic mails. Those in `other/`
 * were written by hand, after RFC 5965, RFC 3834, RFC 8098 and the form that qmail uses.
 */
export const returnedMail = (name: string): Buffer =>
  Buffer.from(readFileSync(new URL(`${name}.eml`, FOLDER), 'utf8').replaceAll('\n', '\r\n'));
