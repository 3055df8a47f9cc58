/** The languages of the console. */
export const MAIL_LANGUAGES = ['en', 'de'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** A link for one organization. */
export interface OrganizationLink {
  organization: string;
  url: string;
}

interface LinkMail {
  /** `invitation`: somebody has added the member, who did not ask for the mail. */
  kind: 'sign-in' | 'invitation';
  links: readonly OrganizationLink[];
  /** Where the member asks for another link. */
  console: string;
  minutes: number;
}

const TEXTS = {
  en: {
    'sign-in': {
      subject: 'Sign in to Carillon',
      intro: 'somebody, probably you, wants to sign in to Carillon with this address.',
    },
    invitation: {
      subject: (organization: string) => `You are a member of ${organization} in Carillon`,
      intro: 'somebody has added you as a member of an organization in Carillon, which sends its notifications.',
    },
    hello: 'Hello,',
    signIn: (organization: string) => `Sign in to ${organization}:`,
    once: (minutes: number) => `Each link works once, within ${minutes} minutes.`,
    again: 'To sign in later, open this page and enter your address:',
    ignore: 'If you do not expect this mail, ignore it: without the link, nobody is signed in.',
  },
  de: {
    'sign-in': {
      subject: 'Anmelden bei Carillon',
      intro: 'mit dieser Adresse will sich jemand bei Carillon anmelden.',
    },
    invitation: {
      subject: (organization: string) => `Mitglied von ${organization} in Carillon`,
      intro: 'diese Adresse gehört jetzt zu einer Organisation in Carillon, das ihre Benachrichtigungen sendet.',
    },
    hello: 'Guten Tag,',
    signIn: (organization: string) => `Bei ${organization} anmelden:`,
    once: (minutes: number) => `Jeder Link gilt einmal, innerhalb von ${minutes} Minuten.`,
    again: 'Später geht es auf dieser Seite mit der E-Mail-Adresse zur Anmeldung:',
    ignore: 'Wer diese Mail nicht erwartet, braucht nichts zu tun: Ohne den Link wird niemand angemeldet.',
  },
} as const;

/** A mail with plain text alone: nothing in it can be taken for more than it is. */
export function linkMail({ kind, links, console, minutes }: LinkMail, language: MailLanguage) {
  const text = TEXTS[language];
  const subject =
    kind === 'sign-in' ? text['sign-in'].subject : text.invitation.subject(links[0]?.organization ?? 'Carillon');
  const paragraphs = [
    `${text.hello}\n\n${text[kind].intro}`,
    ...links.map(({ organization, url }) => `${text.signIn(oneLine(organization))}\n${url}`),
    text.once(minutes),
    `${text.again}\n${console}`,
    text.ignore,
  ];
  return { subject: oneLine(subject), text: `${paragraphs.join('\n\n')}\n` };
}

/** The name of an organization cannot add lines, such as another link. */
const oneLine = (name: string) => name.replace(/\s+/g, ' ');
