import type { TestApp } from '../support/app/app.js';
import type { HttpSink } from '../support/sinks/http-sink.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

export const ANN = 'ann@acme.test';
export const BOB = 'Bob@acme.test';
export const CLEO = 'cleo@acme.test';
export const DAN = 'dan@acme.test';
export const EVE = 'eve@acme.test';

export const NO_COUNTS = { total: 0, pending: 0, sent: 0, skipped: 0, dead: 0 };

/**
 * Ann gets everything; Bob is locked, Cleo is not active; Dan's webhook refuses for good, Eve's is busy. No rule uses
 * `quiet`; two more rules do not speak, and one fails.
 */
export function createStory(app: TestApp, hooks: HttpSink): Promise<Tenant> {
  const templates = ['hook', 'box'].map((channel) => ({ channel, text: 'Hi' }));
  const boxOnly = [{ channel: 'box', text: 'Hi' }];
  const rule = (name: string, rest: object) => ({ name, distribution_list: 'Staff', templates: boxOnly, ...rest });
  hooks.reply = ({ body }) => {
    const { user } = (JSON.parse(body) as { data: { user: string } }).data;
    if (user === DAN) return { status: 400, body: 'no such person' };
    // An hour: she is not tried again while we look.
    if (user === EVE) return { status: 503, body: 'busy', headers: { 'retry-after': '3600' } };
    return { status: 200, body: 'welcome' };
  };
  return Tenant.create(app, {
    channels: [webhook('hook', hooks.url()), inbox('box'), inbox('quiet')],
    users: [{ email: ANN }, { email: BOB, locked: true }, { email: CLEO }, { email: DAN }, { email: EVE }],
    lists: [{ name: 'Staff', members: [ANN, BOB, { email: CLEO, active: false }, DAN, EVE] }],
    notifications: [
      rule('Tell', { templates }),
      rule('Large', { when: 'total > `1000`' }),
      rule('Off', { enabled: false }),
      rule('Broken', { when: 'length(total) > `1`' }),
    ],
  });
}
