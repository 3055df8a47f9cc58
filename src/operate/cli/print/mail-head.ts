import { visible } from '../../../platform/config/visible.js';

interface MailHead {
  from: string | null;
  reply_to: string | null;
  headers: Readonly<Record<string, string>> | null;
  subject: string;
}

/** The lines of a message above its text, as in a mail. */
export function mailHead({ from, reply_to: replyTo, headers, subject }: MailHead): string[] {
  return Object.entries({ From: from, 'Reply-To': replyTo, ...headers, Subject: subject }).flatMap(([name, value]) =>
    value ? [`${name}: ${visible(value)}`] : [],
  );
}
