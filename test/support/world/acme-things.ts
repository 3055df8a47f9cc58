import type { TestApp } from '../app/app.js';
import { ACME_NAMES } from '../contract/operations.js';
import { fillInbox } from './inbox.js';
import { storeOccurrence } from './occurrence.js';
import { addSigningSecret } from './token-secret.js';
import { suppress } from './suppression.js';
import { addDevice } from './device.js';
import { addMember } from './organization-member.js';
import { addUpload } from './upload.js';

// A channel of the same slug as the organization's, a status webhook and a rule.
const MORE_OF_ACME = `
organizations:
  - slug: acme
    name: Acme Inc
    layouts: [{ slug: main, text: '{{ content }}' }]
    partials: [{ slug: end, text: Bye }]
    projects:
      - slug: shop
        name: Shop
        layouts: [{ slug: main, text: '{{ content }}' }]
        partials: [{ slug: end, text: Bye }]
        channels: [{ slug: mail, name: Mail, type: log }]
        categories: [{ slug: news, name: News }]
        applications:
          - slug: web
            name: Web shop
            status_webhook: { url: "http://127.0.0.1:9000/status", secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw }
            events:
              - slug: order-paid
                name: Order paid
                schedule: { cron: 0 9 * * mon, enabled: false }
                notifications: [{ name: Tell, distribution_list: Staff, templates: [{ channel: mail, text: Hi }] }]
`;

const IDS = `
  select l.id pk, m.id member, n.id notification
  from organizations o
  join distribution_lists l on l.organization_id = o.id and l.name = 'Staff'
  join members m on m.list_id = l.id and m.active
  join notifications n on n.organization_id = o.id
  where o.slug = 'acme'`;

/** Somebody signs in to an organization. */
export async function createSession(app: TestApp, org?: string): Promise<number> {
  const key = await app.key({ org });
  return ((await app.as().post('/api/session/').send({ key })).body as { id: number }).id;
}

/** Gives Acme one of everything that a path may name, and answers what each name in a path is there. */
export async function createThingsOfAcme(app: TestApp): Promise<Record<string, string>> {
  await app.apply(MORE_OF_ACME);
  const { rows } = await app.pool.query<Record<string, number>>(IDS);
  const [message] = await fillInbox(app.pool, ACME_NAMES.username, 1);
  const { id: occurrence, deliveries } = await storeOccurrence(app.pool, 'acme', 1);
  const { id: key } = await app.keyWithId({ org: 'acme' });
  const suppression = await suppress(app.pool, 'acme');
  const session = await createSession(app, 'acme');
  const secret = await addSigningSecret(app.pool, 'acme');
  const upload = await addUpload(app.pool, 'acme');
  await addDevice(app.pool, ACME_NAMES);
  await addMember(app.pool, 'acme', ACME_NAMES.memberEmail);
  const ids = { ...rows[0], message, occurrence, delivery: deliveries[0], key, suppression, session, secret, upload };
  return { ...ACME_NAMES, ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])) };
}
