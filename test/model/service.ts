import { Notice } from '../../src/platform/database/notice.js';
import { Task } from '../../src/platform/queue/task.js';
import { RESUME } from '../../src/engine/steer/resume.sql.js';
import type { TestApp } from '../support/app/app.js';
import type { HttpReply, HttpSink, ReceivedRequest } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';
import { CHANNELS, PEOPLE, at } from './life.js';
import type { Channel, Command, Meanwhile, User, Reply, Steering, Switch, World } from './life.js';
import { passADay } from './time.js';
import { lineOf, userOf, placeOf, waitOf } from './view.js';
import type { DeliveryBody } from './view.js';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const PATIENCE_MS = 60_000;

const STATUS: Record<World['answers'][Channel][User], number> = { ok: 200, later: 503, never: 410 };

const emailOf = (person: string) => `${person}@acme.test`;

interface OccurrenceBody {
  status: string;
  done: boolean;
  counts: { total: number; pending: number };
}

/** A tenant of the real service that does what the model is told to do. */
export class RealWorld {
  private readonly occurrences: string[] = [];
  private readonly answers: World['answers'];
  private release: (() => void) | undefined;
  private held = Promise.resolve();
  private received: string[] = [];

  private constructor(
    private readonly app: TestApp,
    private readonly tenant: Tenant,
    private readonly organizationId: number,
    private readonly notifications: Record<string, number>,
    answers: World['answers'],
  ) {
    this.answers = structuredClone(answers);
  }

  static async create(app: TestApp, sink: HttpSink, answers: World['answers']): Promise<RealWorld> {
    const lists = Object.entries(PEOPLE).map(([rule, people]) => ({ name: rule, members: people.map(emailOf) }));
    const notifications = Object.entries(CHANNELS).map(([rule, channels]) => ({
      name: rule,
      distribution_list: rule,
      templates: channels.map((channel) => ({ channel, text: 'Hi' })),
    }));
    const channels = [
      webhook('spare', sink.url('/spare')),
      { ...webhook('hook', sink.url('/hook')), fallback: 'spare' },
    ];
    const tenant = await Tenant.create(app, { channels, lists, notifications });
    const { rows } = await app.pool.query<{ organization: number; name: string; id: number }>(
      `select n.organization_id organization, n.name, n.id from notifications n
       join organizations o on o.id = n.organization_id where o.slug = $1`,
      [tenant.org],
    );
    const ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
    const world = new RealWorld(app, tenant, rows[0]!.organization, ids, answers);
    sink.reply = (request) => world.receive(request);
    return world;
  }

  /** The provider. */
  private async receive({ path, body, headers }: ReceivedRequest): Promise<HttpReply> {
    const { user } = (JSON.parse(body) as { data: { user: string } }).data;
    this.received.push(String(headers['webhook-id']));
    await this.held;
    return { status: STATUS[this.answers[path.slice(1) as Channel][userOf(user)]] };
  }

  /** `place`: of the delivery that the model means. */
  async step(command: Command, place: string, inFlight: number): Promise<Reply | undefined> {
    const reply = await this.perform(command, place, inFlight);
    await this.settle();
    return reply;
  }

  private perform(command: Command, place: string, inFlight: number): Promise<Reply | undefined> {
    switch (command.do) {
      case 'trigger':
        return this.trigger(command, inFlight);
      case 'switch':
        return this.turn(command.what, command.on);
      case 'ceiling':
        return this.patch('p/shop/a/web/e/order-paid/', { max_recipients: command.people });
      case 'answer':
        this.answers[command.channel][command.person] = command.answer;
        return Promise.resolve(undefined);
      case 'a day passes':
        return passADay(this.app.pool, this.organizationId);
      default: {
        const occurrence = at(this.occurrences, command.occurrence);
        return occurrence === undefined ? Promise.resolve(undefined) : this.steer(occurrence, command.do, place);
      }
    }
  }

  private async trigger(
    { sendIn, expiresIn, meanwhile }: Command & { do: 'trigger' },
    inFlight: number,
  ): Promise<Reply> {
    const now = Date.now() - HOUR_MS;
    const time = (days: number | undefined) => days && new Date(now + days * DAY_MS).toISOString();
    const options = { send_at: time(sendIn), expires_at: time(expiresIn) };
    if (inFlight > 0) this.held = new Promise((resolve) => (this.release = resolve));
    const before = this.received.length;
    const { status, body } = await this.post('p/shop/a/web/e/order-paid/trigger/', { options });
    if (status === 201) this.occurrences.push((body as { occurrence: string }).occurrence);
    if (inFlight > 0) await this.waitUntil(() => this.received.length - before >= inFlight, `${inFlight} messages`);
    else await this.settle();
    if (meanwhile !== undefined && status === 201) await this.happen(meanwhile);
    this.release?.();
    return { status };
  }

  private happen(meanwhile: Meanwhile): Promise<unknown> {
    if (meanwhile !== 'cancel') return this.turn(meanwhile, false);
    const reply = this.steer(this.occurrences.at(-1)!, 'cancel', '');
    // The deliveries are marked before the provider answers.
    const sql = `select from jobs where organization_id = $1 and task = '${Task.Cancel}'`;
    return reply.then(() =>
      this.waitUntil(async () => (await this.app.pool.query(sql, [this.organizationId])).rowCount === 0, 'the cancel'),
    );
  }

  private async steer(occurrence: string, verb: Steering | 'retry one', place: string): Promise<Reply> {
    if (verb === 'retry, cancel') return this.retryAndCancel(occurrence);
    const body = verb === 'retry one' ? { delivery: await this.deliveryAt(occurrence, place) } : undefined;
    const answer = await this.post(`occurrences/${occurrence}/${verb.split(' ')[0]}/`, body);
    const { retrying, occurrence: made } = answer.body as { retrying?: number; occurrence?: string };
    if (verb === 'replay' && made !== undefined) this.occurrences.push(made);
    return { status: answer.status, ...(retrying === undefined ? {} : { retrying }) };
  }

  private async retryAndCancel(occurrence: string): Promise<Reply> {
    await this.app.pool.query('insert into queue_stands_still default values');
    const { retrying } = await this.steer(occurrence, 'retry', '');
    const { status } = await this.steer(occurrence, 'cancel', '');
    await this.app.pool.query(`delete from queue_stands_still`);
    await this.app.pool.query(`select pg_notify($1, $2)`, [Notice.Jobs.name, Notice.Jobs.others]);
    return { status, ...(retrying === undefined ? {} : { retrying }) };
  }

  private async deliveryAt(occurrence: string, place: string): Promise<number> {
    const all = await this.deliveries(occurrence);
    return all.find((delivery) => placeOf(delivery) === place)?.id ?? 999_999_999;
  }

  private async turn(what: Switch, on: boolean): Promise<Reply> {
    const event = 'p/shop/a/web/e/order-paid/';
    if (what === 'event') return this.patch(event, { enabled: on });
    if (what === 'hook' || what === 'spare') return this.patch(`c/${what}/`, { enabled: on });
    return this.patch(`${event}n/${this.notifications[what]}/`, { enabled: on });
  }

  /** Waits until nothing is left to be done before more time passes. */
  private async settle(): Promise<void> {
    // The service looks for them once a second.
    await this.app.pool.query(RESUME, [1000]);
    const sql = `select from jobs where organization_id = $1 and state in ('ready', 'running')`;
    await this.waitUntil(
      async () => (await this.app.pool.query(sql, [this.organizationId])).rowCount === 0,
      'the end of all jobs',
    );
    // The model has no circuit: ten failures in a row, which all commands together reach.
    await this.app.pool.query(
      'delete from channel_states where channel_id in (select id from channels where organization_id = $1)',
      [this.organizationId],
    );
  }

  private waitUntil(look: () => boolean | Promise<boolean>, what: string): Promise<boolean> {
    return until(PATIENCE_MS, look, () => what);
  }

  /** What the API shows of everything, and how often the provider was called for each delivery. */
  async look(): Promise<unknown[]> {
    const seen = [];
    for (const id of this.occurrences) {
      const { status, done, counts } = (await this.get(`occurrences/${id}/`)).body as OccurrenceBody;
      const deliveries = await this.deliveries(id);
      const shown = deliveries.map((delivery) => this.view(delivery, deliveries, id));
      seen.push({ status, done, total: counts.total, pending: counts.pending, deliveries: shown.sort() });
    }
    return seen;
  }

  private view(delivery: DeliveryBody, all: DeliveryBody[], occurrence: string): string {
    const { status, gate, attempts, fallback_of: of } = delivery;
    const first = all.find(({ id }) => id === of);
    const calls = this.received.filter((id) => id === `${occurrence}.${delivery.id}`).length;
    return lineOf({
      place: placeOf(delivery),
      status,
      gate,
      attempts: attempts.map(({ outcome }) => outcome),
      calls,
      waits: waitOf(delivery),
      fallbackOf: first ? placeOf(first) : null,
    });
  }

  private async deliveries(occurrence: string): Promise<DeliveryBody[]> {
    return (await this.get(`occurrences/${occurrence}/deliveries/`)).body as DeliveryBody[];
  }

  private get(path: string) {
    return this.app.as(this.tenant.key).get(`/api/o/${this.tenant.org}/${path}`);
  }

  private post(path: string, body?: object) {
    return this.app.as(this.tenant.key).post(`/api/o/${this.tenant.org}/${path}`).send(body);
  }

  private async patch(path: string, body: object): Promise<Reply> {
    const { status } = await this.app.as(this.tenant.key).patch(`/api/o/${this.tenant.org}/${path}`).send(body);
    return { status };
  }
}
