const ORDER = { order: 'A-17', total: 120 };
const MAIL_SERVER = { host: 'mail.example.com', from: 'Demo <no-reply@example.com>' };

/** What Swagger UI fills in as the body of each operation. Each works on the demo (provisioning/demo.yaml), in the order of the contract. */
export const REQUEST_EXAMPLES: Record<string, unknown> = {
  createOrganization: { slug: 'acme', name: 'Acme Inc' },
  updateOrganization: { name: 'Demo' },
  updateOrganizationSettings: {
    time_zone: 'Europe/Rome',
    quiet_hours: [{ days: ['sat', 'sun'], from: '22:00', to: '08:00' }],
    locale: 'it',
  },
  updateOrganizationQuota: { triggers_per_second: 500 },
  putConfiguration: {
    projects: [{ slug: 'shop', name: 'Shop', channels: [{ slug: 'trace', name: 'Trace', type: 'log' }] }],
  },
  planConfiguration: { projects: [{ slug: 'shop', name: 'Web shop' }] },
  createProject: { slug: 'blog', name: 'Blog' },
  updateProject: { name: 'Shop', enabled: true },

  createOrganizationChannel: {
    ...{ slug: 'newsletter', name: 'Newsletter', type: 'email' },
    config: MAIL_SERVER,
    fallback: 'inbox',
  },
  updateOrganizationChannel: { name: 'Mail', config: MAIL_SERVER, fallback: 'inbox' },
  testOrganizationChannel: { to: 'ann@example.com', text: 'This channel works.' },
  createProjectChannel: { slug: 'trace', name: 'Trace', type: 'log' },
  updateProjectChannel: { name: 'Log', enabled: true },
  testProjectChannel: { text: 'This channel works.' },

  putOrganizationLayout: { html: '<main>{{ content }}</main>', text: '{{ content }}' },
  putProjectLayout: { html: '<main>{{ content }}</main>', text: '{{ content }}' },
  putOrganizationPartial: { html: '<p>{{ organization.name }}</p>', text: '{{ organization.name }}' },
  putProjectPartial: { html: '<p>{{ organization.name }}</p>', text: '{{ organization.name }}' },

  createApplication: { slug: 'mobile', name: 'Mobile app' },
  updateApplication: { name: 'Web shop', enabled: true },
  putStatusWebhook: {
    url: 'https://shop.example.com/deliveries',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    outcomes: ['dead'],
  },

  createCategory: { slug: 'offers', name: 'Offers', default: 'off', channels: { inbox: 'on' } },
  updateCategory: { name: 'News', default: 'on' },
  updatePreferences: { channels: { email: 'on' }, categories: { news: { inbox: 'off' } } },

  putDevice: {
    ...{ platform: 'android', name: 'Phone of Ann', locale: 'de-AT', time_zone: 'Europe/Vienna', app_version: '4.2.0' },
    fcm: { token: 'dGVzdA:APA91bFzS5' },
  },

  createEvent: { slug: 'order-shipped', name: 'Order shipped', category: null },
  updateEvent: { name: 'Order paid', retention_days: 30 },
  putMessages: { messages: { de: { 'order.paid': 'Bezahlt' }, en: { 'order.paid': 'Paid' } } },
  putSchedule: { cron: '0 9 * * mon', time_zone: 'Europe/Rome', context: ORDER },
  updateSchedule: { enabled: true },
  previewAudience: { audience: { field: 'custom_fields.team', is: 'ops' } },
  simulateEvent: { context: ORDER },
  previewTemplate: {
    subject: 'Order {{ order }} paid',
    markdown: 'Hi **{{ user.first_name }}**, {{ total }} EUR.',
    ...{ channel: 'inbox', user: 'ann@example.com', context: ORDER },
  },

  testTemplate: {
    subject: 'Order {{ order }} paid',
    markdown: 'Hi **{{ user.first_name }}**, {{ total }} EUR.',
    ...{ channel: 'mail', user: 'ann@example.com', context: ORDER },
  },

  createDraft: { draft: 'new', notification: { name: 'Tell the staff', when: 'total > `' } },
  putDraft: { notification: { name: 'Tell the staff', when: 'total > `1000`' } },
  createNotification: {
    name: 'Tell the staff about large orders',
    when: 'total > `1000`',
    distribution_lists: ['Staff'],
    templates: [{ channel: 'inbox', subject: 'Large order', text: 'Hi {{ user.first_name }}, {{ total }} EUR.' }],
  },
  updateNotification: { name: 'Tell the staff', enabled: true, when: null },
  acknowledgeOccurrence: { user: 'ann@example.com', note: 'I am on it.' },
  acknowledgeInboxMessage: { note: 'I am on it.' },
  retryOccurrence: { delivery: 2 },
  replayOccurrence: { limit_to: ['ann@example.com'] },

  createUser: { email: 'eve@example.com', first_name: 'Eve', last_name: 'Kim', custom_fields: { team: 'ops' } },
  putUser: { first_name: 'Ann', last_name: 'Lee', locked: false },
  updateUser: { custom_fields: { team: 'ops' }, _mode: 'MERGE' },
  updateUserSettings: { time_zone: 'America/New_York', quiet_hours: null, locale: 'en-US' },
  createAddress: { name: 'phone', value: '+1 555 765 4321' },
  updateAddress: { value: '+1 555 123 4567' },

  putUserProfile: {
    ...{ first_name: 'Ann', last_name: 'Lee', custom_fields: { team: 'ops' }, time_zone: 'America/New_York' },
    memberships: [{ project: 'shop', distribution_list: 'Staff' }],
    preferences: { channels: { email: 'on' }, categories: { 'shop/news': { inbox: 'off' } } },
  },

  importUserProfiles:
    '{"email":"eve@example.com","first_name":"Eve"}\n{"email":"ann@example.com","first_name":"Ann","last_name":"Lee"}\n',

  createSuppression: { name: 'email', value: 'gone@example.com', note: 'Asked by phone' },

  createUpload: 'Hello',

  createDistributionList: { name: 'Customers' },
  updateDistributionList: { name: 'Staff' },
  addListMembers: ['ann@example.com', 'bob@example.com'],
  updateListMember: { active: true },

  putOrganizationMember: { name: 'Bob Ray', role: 'editor', project: 'shop' },
  createSessionLink: { email: 'bob@example.com' },
  createSession: { key: 'crl_...' },
  createRecipientToken: { scopes: ['inbox'], expires_in: '1h' },
  createSigningSecret: { name: 'web shop' },
  markInboxMessages: { as: 'read', messages: [1] },

  createApiKey: { name: 'ci', permissions: ['event:trigger'], project: 'shop', application: 'web' },
};
