import { setTimeout as sleep } from 'node:timers/promises';
import { TOMORROW } from '../generate/names.mjs';

/**
 * The life of each noun: create, use, delete, use again. The slug `seq` is used by nothing else, and one client uses the tenant, so every
 * status is known in advance.
 */
const NOUNS = [
  noun('Project', 'prj', { slug: 'seq', name: 'Seq' }, ({ slug }) => slug),
  noun('Application', 'app', { slug: 'seq', name: 'Seq' }, ({ slug }) => slug),
  noun('Event', 'evt', { slug: 'seq', name: 'Seq' }, ({ slug }) => slug),
  noun('OrganizationChannel', 'channel', { slug: 'seq', name: 'Seq', type: 'inbox' }, ({ slug }) => slug),
  noun('ProjectChannel', 'channel', { slug: 'seq', name: 'Seq', type: 'inbox' }, ({ slug }) => slug),
  noun('Category', 'category', { slug: 'seq', name: 'Seq', channels: { email: 'off' } }, ({ slug }) => slug),
  noun('DistributionList', 'pk', { name: 'Seq' }, ({ id }) => id),
  noun('User', 'username', { email: 'seq@acme.test' }, ({ username }) => username, { first_name: 'Seq' }),
  noun(
    'Notification',
    'notification',
    { name: 'Seq', distribution_lists: ['Staff'], templates: [{ channel: 'mail', text: 'Hi' }] },
    ({ id }) => id,
  ),
];

function noun(name, parameter, body, idOf, change = { name: 'Seq 2' }) {
  return { name, parameter, body, idOf, change };
}

const PATIENCE_MS = 60_000;

/**
 * @param {import('./tenant.mjs').Tenant} tenant
 * @param {import('../../../bench/torture/random.mjs').Random} random
 */
export async function playSequence(tenant, random) {
  const steps = random.one([
    ...NOUNS.map((each) => () => stepsOf(each)),
    () => checkSteps('OrganizationChannel'),
    () => checkSteps('ProjectChannel'),
    keySteps,
    sessionSteps,
    tokenSteps,
    webhookSteps,
    occurrenceSteps,
    heldSteps,
  ])();
  const { session } = tenant;
  const done = [];
  const state = { names: { ...tenant.names }, headers: tenant.operator };
  for (const { id, expected, body, learn, headers, until = () => true } of steps) {
    const sent = typeof body === 'function' ? body(state) : body;
    const call = () => session.call(id, headers?.(state) ?? state.headers, state.names, sent);
    let answer = await call();
    for (const deadline = Date.now() + PATIENCE_MS; !until(answer) && Date.now() < deadline; await sleep(100))
      answer = await call();
    done.push(`${id} ${answer.status}`);
    // Somebody may be served too much at the moment.
    if (answer.status === 429 || answer.status === undefined) return;
    if (![expected].flat().includes(answer.status)) {
      session.results.add(
        { kind: 'sequence', text: `${done.join(', ')}: expected ${expected} at the end` },
        { id },
        answer.request,
      );
      return;
    }
    learn?.(state, answer.value, answer.headers);
  }
  session.results.sequences++;
}

function stepsOf({ name, parameter, body, idOf, change }) {
  const learn = (state, value) => (state.names[parameter] = idOf(value));
  return [
    { id: `create${name}`, body, expected: 201, learn },
    { id: `create${name}`, body, expected: 400 },
    { id: `get${name}`, expected: 200 },
    { id: `update${name}`, body: change, expected: 200 },
    { id: `delete${name}`, expected: 204 },
    { id: `get${name}`, expected: 404 },
    { id: `update${name}`, body: change, expected: 404 },
    { id: `delete${name}`, expected: 404 },
    { id: `create${name}`, body, expected: 201, learn },
    { id: `get${name}`, expected: 200 },
    { id: `delete${name}`, expected: 204 },
  ];
}

/** Nothing listens there: the answer says so. */
const checkSteps = (name) => [
  {
    id: `create${name}`,
    body: { slug: 'seq', name: 'Seq', type: 'ntfy', config: { url: 'http://127.0.0.1:9' } },
    expected: 201,
    learn: (state, { slug }) => (state.names.channel = slug),
  },
  { id: `check${name}`, expected: 200 },
  { id: `delete${name}`, expected: 204 },
  { id: `check${name}`, expected: 404 },
];

const keySteps = () => {
  const made = (state, { id, key }) =>
    Object.assign(state, { made: { authorization: `Key ${key}` }, names: { ...state.names, key: id } });
  const headers = ({ made }) => made;
  return [
    { id: 'createApiKey', body: { name: 'seq', permissions: ['system:ping'] }, expected: 201, learn: made },
    { id: 'ping', expected: 200, headers },
    { id: 'getOrganization', expected: 403, headers },
    { id: 'revokeApiKey', expected: 200 },
    { id: 'ping', expected: 401, headers },
  ];
};

const sessionSteps = () => {
  const permissions = ['system:ping', 'apikey:read', 'apikey:write'];
  const made = (state, { key }) => Object.assign(state, { key });
  const body = ({ key }) => ({ key });
  const signedIn = (state, { id }, { 'set-cookie': cookies }) => {
    const cookie = [cookies].flat()[0].split(';', 1)[0];
    Object.assign(state, { page: { cookie, 'sec-fetch-site': 'same-origin' }, names: { ...state.names, session: id } });
  };
  const headers = ({ page }) => page;
  const foreign = ({ page }) => ({ ...page, 'sec-fetch-site': 'cross-site' });
  return [
    { id: 'createApiKey', body: { name: 'seq', permissions }, expected: 201, learn: made },
    { id: 'createSession', body, expected: 201, learn: signedIn },
    { id: 'getSession', expected: 200, headers },
    { id: 'ping', expected: 200, headers },
    { id: 'getOrganization', expected: 403, headers },
    { id: 'listOrganizationSessions', expected: 200, headers },
    { id: 'deleteOrganizationSession', expected: 204 },
    { id: 'deleteOrganizationSession', expected: 404 },
    { id: 'getSession', expected: 401, headers },
    { id: 'createSession', body, expected: 201, learn: signedIn },
    { id: 'deleteSession', expected: 403, headers: foreign },
    { id: 'deleteSession', expected: 204, headers },
    { id: 'deleteSession', expected: 401, headers },
  ];
};

const tokenSteps = () => {
  const headers = ({ made }) => made;
  return [
    {
      id: 'createUser',
      body: { email: 'seq-token@acme.test' },
      expected: 201,
      learn: (state, { username }) => (state.names.username = username),
    },
    {
      id: 'createRecipientToken',
      body: { expires_in: '15m' },
      expected: 201,
      learn: (state, { token }) => (state.made = { authorization: `Bearer ${token}` }),
    },
    { id: 'listInboxMessages', expected: 200, headers },
    { id: 'markInboxMessages', body: { as: 'read', up_to: 2_147_483_647 }, expected: 200, headers },
    { id: 'getPreferences', expected: 200, headers },
    { id: 'listUsers', expected: 403, headers },
    { id: 'createRecipientToken', body: {}, expected: 403, headers },
    { id: 'deleteUser', expected: 204 },
    // Another process may remember the person for some seconds.
    { id: 'listInboxMessages', expected: 401, headers, until: ({ status }) => status !== 200 },
  ];
};

const webhookSteps = () => [
  {
    id: 'putStatusWebhook',
    body: { url: 'http://127.0.0.1:9/', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    expected: [200, 201],
  },
  { id: 'getStatusWebhook', expected: 200 },
  { id: 'deleteStatusWebhook', expected: 204 },
  { id: 'getStatusWebhook', expected: 404 },
  { id: 'deleteStatusWebhook', expected: 404 },
];

const occurrenceSteps = () => [
  {
    id: 'triggerEvent',
    body: { options: { send_at: TOMORROW } },
    expected: 201,
    learn: (state, { occurrence }) => (state.names.occurrence = occurrence),
  },
  { id: 'getOccurrence', expected: 200 },
  { id: 'approveOccurrence', expected: 409 },
  { id: 'explainOccurrence', expected: 200 },
  { id: 'cancelOccurrence', expected: 200 },
  { id: 'cancelOccurrence', expected: 200 },
  { id: 'retryOccurrence', expected: 409 },
  { id: 'getOccurrence', expected: 200 },
];

/** An occurrence above the ceiling of its event waits for an approval. */
const heldSteps = () => [
  {
    id: 'createEvent',
    body: { slug: 'held', name: 'Held', max_recipients: 1 },
    expected: [201, 400],
    learn: (state) => (state.names.evt = 'held'),
  },
  {
    id: 'createNotification',
    body: { name: 'Seq', distribution_lists: ['Staff'], templates: [{ channel: 'sms', text: 'Hi' }] },
    expected: [201, 400],
  },
  {
    id: 'triggerEvent',
    expected: 201,
    learn: (state, { occurrence }) => (state.names.occurrence = occurrence),
  },
  { id: 'getOccurrence', expected: 200, until: ({ value }) => value?.status === 'held' },
  { id: 'approveOccurrence', expected: 200 },
  { id: 'approveOccurrence', expected: 409 },
];
