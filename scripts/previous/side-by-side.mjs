// Both releases at once on one database, under load: an upgrade and a rollback by rolling restart. Every message must arrive once.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { carillon, Process } from './process.mjs';
import { startSink } from './sink.mjs';

const PEOPLE = ['ann@acme.test', 'ben@acme.test', 'cem@acme.test'];
const PATIENCE_MS = 120_000;

const world = (url) => `
organizations:
  - slug: acme
    name: Acme
    users: [${PEOPLE.map((email) => `{ email: ${email}, first_name: A, last_name: B }`).join(', ')}]
    projects:
      - slug: shop
        name: Shop
        channels: [{ slug: hook, name: Hook, type: webhook, config: { url: "${url}" } }]
        distribution_lists: [{ name: Staff, members: [${PEOPLE.join(', ')}] }]
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Paid
                notifications:
                  - name: Tell
                    enabled: true
                    distribution_list: Staff
                    templates: [{ channel: hook, per: person, text: "{{ n }} {{ user.email }}" }]
`;

/** Triggers one after the other, at all processes that run, until it is told to end. Counts the accepted ones. */
class Load {
  accepted = [];
  targets = [];
  problems = [];

  constructor(key) {
    this.key = key;
  }

  start(clients = 4) {
    this.running = Promise.all(Array.from({ length: clients }, () => this.run()));
  }

  async run() {
    while (!this.isEnded) {
      const target = this.targets[this.next++ % this.targets.length];
      const n = this.numbers++;
      await this.trigger(target, n).catch((error) => {
        // A process that stops may close a connection: whether that trigger was accepted is unknown, so it is not counted.
        if (this.targets.includes(target))
          this.problems.push(`trigger ${n} at the ${target.name} release: ${error.message}`);
      });
      await sleep(20);
    }
  }

  next = 0;
  numbers = 1;

  async trigger(target, n) {
    const later = n % 7 === 0 ? { options: { send_at: new Date(Date.now() + 2000).toISOString() } } : {};
    const response = await fetch(`${target.url}/api/o/acme/p/shop/a/web/e/paid/trigger/`, {
      method: 'POST',
      headers: { Authorization: `Key ${this.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ context: { n }, ...later }),
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    if (response.status === 201) this.accepted.push(n);
    else if (this.targets.includes(target)) throw new Error(`status ${response.status}`);
  }

  /** Waits until this many more triggers were accepted. */
  async passes(count) {
    const goal = this.accepted.length + count;
    await until(
      () => this.accepted.length >= goal || this.problems.length > 20,
      () => `${count} accepted triggers`,
    );
  }

  async end() {
    this.isEnded = true;
    await this.running;
  }
}

async function until(look, what) {
  for (const deadline = Date.now() + PATIENCE_MS; !(await look()); await sleep(50))
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what()}`);
}

/** `homes`: the folders of both releases. Returns the numbers of checks that passed and failed. */
export async function runSideBySide(homes, databaseUrl, isShort) {
  const share = isShort ? 60 : 1000;
  const sink = await startSink();
  const running = new Set();
  const start = async (name) => {
    const process = await Process.start(name, homes[name], databaseUrl);
    running.add(process);
    return process;
  };
  const database = new Client({ connectionString: databaseUrl });
  database.on('error', () => undefined);
  let load;
  try {
    await database.connect();
    await carillon(homes.previous, databaseUrl, ['apply', '-'], world(sink.url));
    const created = await carillon(homes.new, databaseUrl, [
      'key',
      'create',
      '--org',
      'acme',
      '--name',
      'load',
      '--all',
      '--json',
    ]);
    load = new Load(JSON.parse(created).key);
    const [before, after] = await Promise.all([start('previous'), start('new')]);
    load.targets = [before];
    load.start();
    await load.passes(share);
    load.targets = [before, after];
    await load.passes(share);
    load.targets = [after]; // as a load balancer does before a process stops
    await before.stop();
    await load.passes(share);
    const back = await start('previous'); // the rollback
    load.targets = [after, back];
    await load.passes(share);
    load.targets = [back];
    await after.stop();
    await load.passes(share);
    await load.end();
    const wanted = load.accepted.flatMap((n) => PEOPLE.map((email) => `${n} ${email}`));
    const missing = () => wanted.filter((text) => !sink.accepted.has(text));
    await until(
      () => missing().length === 0,
      () => `${missing().length} messages, such as ${missing()[0]}`,
    ).catch((error) => load.problems.push(error.message));
    const { rows } = await database.query(`select status, count(*)::int from deliveries group by 1`);
    const doubled = [...sink.accepted].filter(([, count]) => count > 1);
    const checks = {
      'every trigger is accepted': load.problems,
      'no message is lost': missing(),
      'no message is sent twice': doubled.map(([text, count]) => `${text}: ${count} times`),
      'every delivery is sent': rows
        .filter(({ status }) => status !== 'sent')
        .map(({ status, count }) => `${count} ${status}`),
    };
    console.log(`  ${load.accepted.length} triggers, ${sink.accepted.size} messages`);
    return report(checks);
  } finally {
    if (load) load.isEnded = true;
    await Promise.all([...running].map((process) => process.stop('SIGKILL')));
    await load?.running;
    await database.end();
    sink.close();
  }
}

function report(checks) {
  for (const [name, problems] of Object.entries(checks))
    console.log(
      `  ${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}${problems.length > 0 ? `: ${problems.slice(0, 5).join('; ')} (${problems.length})` : ''}`,
    );
  const failed = Object.values(checks).filter((problems) => problems.length > 0).length;
  return { passed: Object.keys(checks).length - failed, failed };
}
