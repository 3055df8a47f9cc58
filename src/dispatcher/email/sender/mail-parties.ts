import type { MailHead, MessageSender } from '../../dispatcher.js';
import { parseMailbox, type Mailbox } from '../address.js';
import { shownHead } from '../mime.js';

/** Who sends, as the settings of a channel say. */
interface Usual<From> {
  from: From;
  replyTo: Mailbox | null;
}

const mailboxOr = <Other>(given: string | undefined, usual: Other): Mailbox | Other =>
  (given && parseMailbox(given)) || usual;

/** Who sends a mail: what its template says wins over the settings of the channel. */
export const partiesOf = <From>({ from, reply_to }: MessageSender, usual: Usual<From>) => ({
  from: mailboxOr(from, usual.from),
  replyTo: mailboxOr(reply_to, usual.replyTo),
});

/** The headers of a mail that matter to its reader. With wrong settings, only the template says who sends it. */
export function headOfMail(
  { to, sender = {}, list }: MailHead,
  settings: Usual<Mailbox> | { problem: string },
): Record<string, string> {
  const usual = 'problem' in settings ? { from: null, replyTo: null } : settings;
  return shownHead({ ...partiesOf<Mailbox | null>(sender, usual), to, list, headers: sender.headers });
}
