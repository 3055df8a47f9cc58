/** What an alert is about. */
export interface AlertSubject {
  kind: 'channel' | 'held' | 'backlog';
  isOver: boolean;
  organization: string;
  /** The channel, or the event of the held occurrence. */
  path: string;
  since: Date;
  /** What the provider answered last; empty: it is not known. */
  answer: string;
  /** Messages that wait for the channel; it stops at 1000. */
  waiting: number;
  /** Where to look; null: the public URL is not set. */
  url: string | null;
}

interface Words {
  fails: (channel: string) => string;
  failsText: (since: string, waiting: string) => string;
  answered: string;
  works: (channel: string) => string;
  worksText: string;
  held: (event: string) => string;
  heldText: (since: string) => string;
  backlog: string;
  backlogText: (since: string) => string;
  backlogOver: string;
  backlogOverText: string;
}

/** By language. An alert is in that of its user, or else of the organization, or else in English. */
const WORDS: Record<string, Words> = {
  en: {
    fails: (channel) => `Channel ${channel} fails`,
    failsText: (since, waiting) =>
      `Its provider has failed since ${since}. ${waiting} messages wait for it, and are tried again automatically.`,
    answered: 'The provider answered:',
    works: (channel) => `Channel ${channel} works again`,
    worksText: 'What waited for it is being sent.',
    held: (event) => `${event} waits for approval`,
    heldText: (since) => `It has been held since ${since}, because it would reach more users than its event allows.`,
    backlog: 'Messages wait too long',
    backlogText: (since) => `The oldest message that is due has waited since ${since}.`,
    backlogOver: 'Messages are sent in time again',
    backlogOverText: 'The backlog is gone.',
  },
  de: {
    fails: (channel) => `Kanal ${channel} ist gestört`,
    failsText: (since, waiting) =>
      `Sein Anbieter ist seit ${since} gestört. ${waiting} Nachrichten warten auf ihn und werden von selbst wieder versucht.`,
    answered: 'Der Anbieter antwortete:',
    works: (channel) => `Kanal ${channel} geht wieder`,
    worksText: 'Was auf ihn gewartet hat, wird jetzt gesendet.',
    held: (event) => `${event} wartet auf Freigabe`,
    heldText: (since) =>
      `Es wird seit ${since} angehalten, weil es mehr Benutzer erreichen würde, als sein Ereignis erlaubt.`,
    backlog: 'Nachrichten warten zu lange',
    backlogText: (since) => `Die älteste fällige Nachricht wartet seit ${since}.`,
    backlogOver: 'Nachrichten werden wieder rechtzeitig gesendet',
    backlogOverText: 'Nichts wartet mehr zu lange.',
  },
};

/** A provider's answer may be long, and a text message is short. */
const MAX_ANSWER = 300;
const MAX_COUNT = 1000;

export function alertText(subject: AlertSubject, locale: string | null): { subject: string; text: string } {
  const language = locale?.split('-')[0] ?? 'en';
  const words = WORDS[language] ?? WORDS.en!;
  const { title, lines } = sentences(subject, words, WORDS[language] ? language : 'en');
  const link = subject.url === null ? [] : [subject.url];
  return { subject: `${subject.organization}: ${title}`, text: [...lines, ...link].join('\n') };
}

function sentences(about: AlertSubject, words: Words, language: string): { title: string; lines: string[] } {
  const { kind, isOver, path, answer, waiting } = about;
  const since = timeOf(about.since, language);
  if (kind === 'held') return { title: words.held(path), lines: [words.heldText(since)] };
  if (kind === 'backlog')
    return isOver
      ? { title: words.backlogOver, lines: [words.backlogOverText] }
      : { title: words.backlog, lines: [words.backlogText(since)] };
  if (isOver) return { title: words.works(path), lines: [words.worksText] };
  const count = waiting >= MAX_COUNT ? `${MAX_COUNT}+` : String(waiting);
  const said = answer === '' ? [] : [`${words.answered} ${answer.slice(0, MAX_ANSWER)}`];
  return { title: words.fails(path), lines: [words.failsText(since, count), ...said] };
}

/** UTC: one alert goes to users and rooms with different clocks. */
const timeOf = (at: Date, language: string) =>
  `${at.toLocaleString(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
