import type { Dispatcher, Message, Outcome } from '../dispatcher.js';

/** Writes each message to the log, to try out notifications without a provider. */
export class LogDispatcher implements Dispatcher {
  readonly type = 'log';
  readonly label = 'Log';
  readonly fields = [];
  readonly addressKind = null;
  readonly isRoom = true;
  readonly parts = ['subject', 'text'] as const;

  constructor(private readonly log: (line: string) => void) {}

  async send({ id, about, subject, text }: Message): Promise<Outcome> {
    // JSON keeps every message on one line.
    this.log(`message ${JSON.stringify({ id, ...about, subject, text })}`);
    return { kind: 'sent', answer: 'logged' };
  }
}
