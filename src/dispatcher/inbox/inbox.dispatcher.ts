import type { Dispatcher, Outcome } from '../dispatcher.js';

/** A user's inbox, read over the API. It shows the deliveries that the pipeline stores, so nothing is sent. */
export class InboxDispatcher implements Dispatcher {
  readonly type = 'inbox';
  readonly label = 'Inbox';
  readonly fields = [];
  readonly addressKind = null;
  readonly parts = ['subject', 'text', 'html', 'url', 'image', 'actions', 'data'] as const;

  async send(): Promise<Outcome> {
    return { kind: 'sent', answer: 'in the inbox' };
  }
}
