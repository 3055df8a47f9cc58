import { CHANNELS, USERS } from '../generate/names.mjs';

const MOST_KNOWN = 6;

/** How an answer adds to the names that paths are made of. */
const LEARN = {
  createProject: ({ slug }) => ({ prj: slug }),
  createApplication: ({ slug }) => ({ app: slug }),
  createEvent: ({ slug }) => ({ evt: slug }),
  createOrganizationChannel: ({ slug }) => ({ channel: slug }),
  createProjectChannel: ({ slug }) => ({ channel: slug }),
  createCategory: ({ slug }) => ({ category: slug }),
  createUser: ({ username }) => ({ username }),
  createAddress: ({ name, value }) => ({ name, value }),
  createDistributionList: ({ id }) => ({ pk: id }),
  listListMembers: (all) => ({ member: ends(all) }),
  createNotification: ({ id }) => ({ notification: id }),
  triggerEvent: ({ occurrence }) => ({ occurrence }),
  replayOccurrence: ({ occurrence }) => ({ occurrence }),
  listDeliveries: (all) => ({ delivery: ends(all) }),
  listInboxMessages: (all) => ({ message: ends(all) }),
  createApiKey: ({ id }) => ({ key: id }),
  createSuppression: ({ id }) => ({ suppression: id }),
  createSigningSecret: ({ id }) => ({ secret: id }),
};

const ends = (items) => (items.length > 0 ? [items[0].id, items.at(-1).id] : []);

/** An organization with one of everything, that one client uses. Every name of its paths is known. */
export class Tenant {
  /** @param {import('./session.mjs').Session} session */
  constructor(session, slug, operator, sinkUrl) {
    this.session = session;
    this.slug = slug;
    this.operator = operator;
    this.sinkUrl = sinkUrl;
    /** Names that exist or did exist, by parameter. The first is part of the tenant and is never deleted. */
    this.known = { org: [slug] };
    /** Organizations that random requests made. */
    this.strays = new Set();
  }

  /** The names of what the tenant always has. */
  get names() {
    return Object.fromEntries(Object.entries(this.known).map(([name, [first]]) => [name, first]));
  }

  async create() {
    const { names } = this;
    const url = this.sinkUrl;
    await this.#make('createOrganization', names, { slug: this.slug, name: 'Acme Inc' });
    await this.#make('createProject', names, { slug: 'shop', name: 'Shop' });
    await this.#make('createApplication', this.names, { slug: 'web', name: 'Web shop' });
    await this.#make('createEvent', this.names, { slug: 'order-paid', name: 'Order paid' });
    await this.#make('createOrganizationChannel', names, {
      slug: 'mail',
      name: 'Mail',
      type: 'webhook',
      config: { url },
    });
    await this.#make('createProjectChannel', this.names, { slug: 'sms', name: 'Sms', type: 'inbox' });
    await this.#make('createCategory', this.names, { slug: 'news', name: 'News' });
    for (const email of USERS.slice(0, 2)) await this.#make('createUser', names, { email, first_name: 'Ann' });
    await this.#make('createAddress', this.names, { name: 'phone', value: '+15551234567' });
    await this.#make('createSuppression', names, { name: 'email', value: 'gone@acme.test' });
    await this.#make('createSigningSecret', names, { name: 'Web' });
    await this.#make('createDistributionList', this.names, { name: 'Staff' });
    await this.#make('addListMembers', this.names, USERS.slice(0, 2));
    await this.#make('listListMembers', this.names);
    const templates = CHANNELS.slice(0, 2).map((channel) => ({
      channel,
      subject: 'Hi',
      text: 'Hi {{ user.first_name }}',
      per: 'person',
    }));
    const rule = { name: 'Tell the staff', distribution_lists: ['Staff'], templates };
    await this.#make('createNotification', this.names, rule);
    await this.#make('triggerEvent', this.names, { context: { order: 'A-17' } });
    const { permissions } =
      (await this.#make('createApiKey', this.names, {
        name: 'bound',
        permissions: ['system:ping', 'organization:read', 'event:trigger', 'user:write'],
        project: 'shop',
      })) ?? {};
    return permissions !== undefined;
  }

  async #make(id, names, value) {
    const { status, value: answer } = await this.session.call(id, this.operator, names, value);
    if (!(status < 300)) return undefined;
    if (id === 'createApiKey' && !this.bound) this.bound = { authorization: `Key ${answer.key}` };
    this.learn(id, answer);
    return answer;
  }

  /** Remembers what an answer made or showed, so that later requests use it: also after it was deleted. */
  learn(id, answer) {
    if (id === 'createOrganization' && answer.slug !== this.slug) this.strays.add(answer.slug);
    const found = (answer && LEARN[id]?.(answer)) || {};
    for (const [name, values] of Object.entries(found)) {
      for (const value of [values].flat().map(String)) {
        const known = (this.known[name] ??= []);
        if (known.includes(value)) continue;
        known.push(value);
        if (known.length > MOST_KNOWN) known.splice(1, 1);
      }
    }
  }

  /** Deletes all of it. What is open is canceled first, as the service requires. */
  async remove() {
    for (const { slug: prj } of await this.#list('listProjects')) {
      for (const { slug: app } of await this.#list('listApplications', { prj })) {
        for (const { slug: evt } of await this.#list('listEvents', { prj, app }))
          await this.#removeEvent({ prj, app, evt });
        await this.#call('deleteApplication', { prj, app });
      }
      await this.#call('deleteProject', { prj });
    }
    for (const org of [this.slug, ...this.strays]) await this.#call('deleteOrganization', { org });
  }

  async #removeEvent(names) {
    for (let tries = 0; tries < 5; tries++) {
      const { status } = await this.#call('deleteEvent', names);
      if (status !== 409) return;
      for (const { id, status: state } of await this.#list('listEventOccurrences', names))
        if (state !== 'canceled') await this.#call('cancelOccurrence', { occurrence: id });
    }
  }

  #call(id, names) {
    return this.session.call(id, this.operator, { org: this.slug, ...names });
  }

  async #list(id, names) {
    const { value } = await this.#call(id, names);
    return Array.isArray(value) ? value : [];
  }
}
