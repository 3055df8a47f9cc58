import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { Client as Session } from 'pg';
import { mail } from '../../world/crowd.mjs';
import { Client } from '../client.mjs';

const REQUESTS_PER_SECOND = 100;
const EVENTS = 100;
const DELIVERIES = 10_000;
/** Requests under way. SendGrid would wait too. */
const CONNECTIONS = 400;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

const fill = (database, organizationId) =>
  database.query(`
    set session_replication_role = replica;
    with occurrence as (
      insert into occurrences (id, organization_id, event_id, ruleset_id, context, options, status, decisions, expanded_at)
      select gen_random_uuid(), organization_id, id, coalesce(ruleset_id, 0), '{}', '{}', 'expanded', '[]', now()
      from events where organization_id = ${organizationId} and slug = 'told'
      returning id
    )
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, attempts, status)
    select o.id, c.organization_id, n.id, c.id, -u, 1, 'sent'
    from occurrence o, channels c, notifications n, generate_series(1, ${DELIVERIES}) u
    where c.organization_id = ${organizationId} and n.organization_id = ${organizationId};
    set session_replication_role = origin`);

/** Signed as SendGrid signs. */
function signed(events) {
  const body = JSON.stringify(events);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'content-type': 'application/json',
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), privateKey).toString(
      'base64',
    ),
  };
  return { body, headers };
}

const KINDS = ['delivered', 'deferred', 'open', 'click'];

const eventOf = (reference) => ({
  event: KINDS[Math.floor(Math.random() * KINDS.length)],
  sg_event_id: randomUUID(),
  timestamp: Math.floor(Date.now() / 1000),
  delivery: reference,
});

/** @type {import('../attacks.mjs').Attack} */
export const reports = {
  name: 'reports',
  about: `${REQUESTS_PER_SECOND * EVENTS} reports of a mail service a second, ${EVENTS} in each request`,
  listen: async () => ({ key }),
  channels: (facts) => ({
    ...mail(25),
    config: { ...mail(25).config, report_service: 'sendgrid', report_key: facts.key },
  }),
  fill,
  async run(target) {
    const session = new Session({ connectionString: target.databaseUrl });
    await session.connect();
    const { rows } = await session.query(
      `select concat(d.occurrence_id, '_', d.id) reference from deliveries d join organizations o on o.id = d.organization_id where o.slug = 'attacker'`,
    );
    const client = new Client(target);
    let next = 0;
    let underWay = 0;
    const reference = () => rows[next++ % rows.length].reference;
    await client.rate(REQUESTS_PER_SECOND, async () => {
      if (underWay >= CONNECTIONS) return client.note('not sent');
      underWay++;
      await client.post('/reports/attacker/out', signed(Array.from({ length: EVENTS }, () => eventOf(reference()))));
      underWay--;
    });
    const stored = await session.query('select count(*)::int from delivery_reports');
    await session.end();
    const lost = (client.answers[200] ?? 0) * EVENTS - stored.rows[0].count;
    return lost > 0 ? { ...client.answers, lost } : client.answers;
  },
};
