import { afterAll, expect, it } from '@jest/globals';
import type { ChannelConfig } from '../../src/dispatcher/dispatcher.js';
import { builtInProvider, builtInTypes } from '../../src/dispatcher/provider/built-in.js';
import { requestProblems } from '../../src/dispatcher/provider/example/request-problems.js';
import { sampleConfig, sampleMessage } from '../../src/dispatcher/provider/example/sample.js';
import { plainSettings } from '../../src/dispatcher/provider/names.js';
import { holds } from '../../src/dispatcher/provider/outcome.js';
import type { Example, ProviderFile } from '../../src/dispatcher/provider/provider.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { APPLE_KEY } from '../support/providers/apple-push.js';
import { SERVICE_ACCOUNT } from '../support/providers/fcm.js';
import { PlayedProviders } from '../support/providers/played-providers.js';
import { until } from '../support/until.js';

let app: TestApp;
let played: PlayedProviders;
let operator: string;
useApp({ ROLE: 'all' }, async (started) => {
  app = started;
  played = await PlayedProviders.start(app);
  operator = await app.key();
});
afterAll(() => played.close());

/** One example of a file, in an organization of its own. */
interface Case {
  org: string;
  provider: ProviderFile;
  example: Example;
  config: ChannelConfig;
  /** The kind of address; null: the channel is a room. */
  kind: string | null;
  message: ReturnType<typeof sampleMessage>;
}

interface Sent {
  slug: string;
  id: string;
  occurrence: string;
  status: string;
  counted: number;
  outcome: string;
  answer: string;
  providerId: string | null;
  /** Seconds from the attempt to the next one. */
  wait: number | null;
  isPaused: boolean;
  suppressions: { name: string; value: string; cause: string }[];
}

/** Keys that tokens can be made with. No file has one. */
const KEYS: Readonly<Record<string, ChannelConfig>> = {
  fcm: { service_account: SERVICE_ACCOUNT },
  apns: { private_key: APPLE_KEY.private_key },
};

const casesOf = (provider: ProviderFile): Case[] =>
  provider.examples.map((example, i) => {
    const config = { ...sampleConfig(provider, example), ...KEYS[provider.type] };
    const settings = plainSettings(provider.fields, config);
    const kind = provider.roomIf !== null && holds(provider.roomIf, { settings }) ? null : provider.address;
    const message = sampleMessage(provider, example.message);
    return { org: `${provider.type.replaceAll('_', '-')}-${i}`, provider, example, config, kind, message };
  });

/** Everything but the channel and its notification, which are created over HTTP. */
const fileOf = (cases: readonly Case[]): string =>
  JSON.stringify({
    organizations: cases.map(({ org, kind, message }) => {
      const email = kind === 'email' ? message.to : 'ann@acme.test';
      const addresses = kind === null || kind === 'email' ? [] : [{ name: kind, value: message.to }];
      const applications = [{ slug: 'web', name: 'Web', events: [{ slug: 'order-paid', name: 'Order paid' }] }];
      const projects = [
        { slug: 'shop', name: 'Shop', distribution_lists: [{ name: 'Staff', members: [email] }], applications },
      ];
      return { slug: org, name: org, users: [{ email, addresses }], projects };
    }),
  });

async function post(path: string, body: object): Promise<object> {
  const answer = await app.as(operator).post(path).send(body);
  expect([path, answer.status, answer.status === 201 ? null : answer.text]).toEqual([path, 201, null]);
  return answer.body as object;
}

async function send({ org, example, config, provider, message }: Case): Promise<void> {
  const { status, headers, text: body } = example.answer;
  played.answer(org, () => ({ status, headers, body }));
  await post(`/api/o/${org}/c/`, { slug: 'out', name: 'Out', type: provider.type, config });
  const event = `/api/o/${org}/p/shop/a/web/e/order-paid/`;
  const { subject, text, html, sender = {}, rich = {} } = message;
  const parts = { subject, text, html, ...sender, ...rich };
  // A template needs a text, which may render to nothing.
  const given = Object.fromEntries(
    Object.entries({ ...parts, text: text || '{{ nothing }}' }).filter(([, each]) => each),
  );
  const templates = [{ channel: 'out', ...given }];
  const thread = message.thread ? 'order' : null;
  await post(`${event}n/`, { name: 'Tell', distribution_lists: ['Staff'], thread, templates });
  const attachments = (message.attachments ?? []).map(({ filename, contentType, content, cid }) => ({
    ...{ filename, content_type: contentType, content: String(content).replaceAll('\r\n', '') },
    ...(cid === undefined ? {} : { cid }),
  }));
  const options = {
    ...(attachments.length > 0 ? { attachments } : {}),
    ...{ priority: message.priority, expires_at: message.expiresAt?.toISOString() },
  };
  await post(`${event}trigger/`, { context: { order: 'A-17' }, options });
}

/** What the service has stored of the first attempt for each organization. */
const SENT = `
  select o.slug, d.id::text, d.occurrence_id occurrence, d.status, d.attempts - d.attempts_before counted,
         a.outcome, a.answer, a.provider_id "providerId", extract(epoch from d.next_attempt_at - a.at)::float wait,
         exists (select from channel_states s where s.channel_id = d.channel_id and s.probe_at is not null) "isPaused",
         coalesce((select json_agg(json_build_object('name', s.name, 'value', s.value, 'cause', s.cause))
                   from suppressions s where s.organization_id = o.id), '[]') suppressions
  from organizations o join deliveries d on d.organization_id = o.id join attempts a on a.delivery_id = d.id and a.number = 1
  where o.slug = any($1)`;

async function sentOf(cases: readonly Case[]): Promise<Map<string, Sent>> {
  const slugs = cases.map(({ org }) => org);
  const rows = await until(30_000, async () => {
    const found = await app.pool.query<Sent>(SENT, [slugs]);
    const rows = new Map(found.rows.map((row) => [row.slug, row]));
    // The state of a channel and suppressions are written after the attempt.
    return cases.every((one) => isWhole(rows.get(one.org), expectedOf(one))) && rows;
  });
  return rows;
}

const isWhole = (row: Sent | undefined, expected: ReturnType<typeof expectedOf>): boolean =>
  row !== undefined && row.isPaused >= expected.isPaused && row.suppressions.length >= expected.suppressions.length;

/** What must be stored, as docs/notifications.md says it. */
function expectedOf({ example: { expect: outcome }, kind, message }: Case) {
  const { fault, cause } = outcome;
  const isGone = (fault === 'recipient' || fault === 'device') && cause !== 'soft_bounce' && kind !== null;
  const isWaiting = outcome.kind === 'retry' || fault === 'channel';
  return {
    // A message that waits until the channel is mended was not refused for good.
    outcome: isWaiting ? 'retry' : outcome.kind,
    providerId: outcome.provider_id ?? null,
    status: outcome.kind === 'sent' ? 'sent' : isWaiting ? 'pending' : 'dead',
    isPaused: fault === 'channel',
    suppressions: isGone ? [{ name: kind, value: message.to, cause: cause === 'stop' ? 'stop' : 'hard_bounce' }] : [],
  };
}

const REFERENCE = '018f3c1e-0000-7000-8000-000000000001';

/** Differences between the request of the example and that which the provider got. */
function problemsWith({ org, example, message }: Case, { occurrence, id }: Sent): string[] {
  const [request] = played.requests.get(org)!;
  // The link to leave a category, the URL for reports and what is unread belong to the message.
  const isOwn = ['list', 'report_url', 'category', 'unread'].some((name) => name in example.message);
  if (!request || !example.request || isOwn) return request ? [] : ['nothing was sent'];
  const sample = (text: string) =>
    ['_', '.']
      .reduce((all, mark) => all.replaceAll(`${occurrence}${mark}${id}`, `${REFERENCE}${mark}7`), text)
      .replaceAll(occurrence, REFERENCE)
      // A token that is signed here.
      .replace(/Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+/, 'Bearer token-of-the-example')
      // The hash that tells threads apart.
      .replace(message.thread ? /(?<![\w-])[\w-]{43}(?![\w-])/g : '', message.thread?.replaces ?? '');
  const { origin, pathname, search } = request.url;
  const wanted = example.request.url === undefined ? origin : new URL(example.request.url).origin;
  const headers = JSON.parse(sample(JSON.stringify(request.headers))) as typeof request.headers;
  const received = { ...request, headers, url: sample(pathname + search), body: sample(request.body) };
  return [...(wanted === origin ? [] : [`sent to ${origin}`]), ...requestProblems(example.request, received)];
}

it.each(builtInTypes())('the service sends over %s as each example of its file says', async (type) => {
  const cases = casesOf(builtInProvider(type));
  await app.apply(fileOf(cases));
  await Promise.all(cases.map(send));
  const sent = await sentOf(cases);
  const found = cases.map((one) => {
    const { outcome, providerId, status, isPaused, suppressions, answer } = sent.get(one.org)!;
    const [waits, least] = [sent.get(one.org)!.wait, one.example.expect.retry_after];
    const problems = problemsWith(one, sent.get(one.org)!);
    if (least !== undefined && !(waits !== null && waits >= least - 1)) problems.push(`waits ${waits} s, not ${least}`);
    return [one.example.name, { outcome, providerId, status, isPaused, suppressions }, problems, answer.slice(0, 3)];
  });
  const answerOf = ({ example }: Case) => String(example.answer.status);
  expect(found).toEqual(cases.map((one) => [one.example.name, expectedOf(one), [], answerOf(one)]));
});
