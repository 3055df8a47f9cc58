import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../measure/clock.mjs';
import { RUDE, STRICT } from '../crowds.mjs';
import { Connections } from './connections.mjs';
import { fillDisk } from './full-disk.mjs';
import { refuseRows, takeRows } from './simulated-disk.mjs';

const LOOK_MS = 20;
const PATIENCE_MS = 120_000;
const MISBEHAVIOUR = ['silent', 'cut', 'busy', 'broken'];

const OWN_SESSIONS = `select pid from pg_stat_activity where application_name like 'carillon%' and datname = current_database()`;

/**
 * @typedef {object} Fault
 * @property {string} kind
 * @property {number} from
 * @property {number} until when the service could begin to recover
 * @property {string} [organization] whose provider misbehaved
 */

/** Makes the faults of a schedule. */
export class Faults {
  #parts;
  #random;
  #say;

  /** @type {Fault[]} those so far, also the one under way */
  made = [];

  /**
   * @param {object} parts
   * @param {import('../processes.mjs').Processes} parts.processes
   * @param {import('../observer.mjs').Observer} parts.observer
   * @param {import('../../world/part.mjs').Part} parts.network
   * @param {import('../../world/part.mjs').Part} parts.sink
   * @param {{ pid: () => number, url: string }} parts.postgres
   * @param {import('../volume.mjs').Volume | null} parts.volume with PostgreSQL's data; null: a full disk is simulated
   * @param {import('../random.mjs').Random} random
   * @param {(line: string) => void} say
   */
  constructor(parts, random, say) {
    this.#parts = parts;
    this.#random = random;
    this.#say = say;
  }

  /**
   * Kills and lost answers come at their time, whatever else happens. The other faults come one at a time.
   * @param {import('./schedule.mjs').Planned[]} planned
   */
  async run(planned) {
    const startedAt = now();
    const of = (kinds) => planned.filter(({ kind }) => kinds.includes(kind));
    const own = ['kill', 'answer'];
    const inTurn = async (some) => {
      for (const fault of some) {
        await sleep(Math.max(0, startedAt + fault.atMs - now()));
        await this.#make(fault, startedAt);
      }
    };
    const others = planned.filter(({ kind }) => !own.includes(kind));
    await Promise.all([...own.map((kind) => inTurn(of([kind]))), inTurn(others)]);
  }

  async #make({ kind, forMs }, startedAt) {
    const fault = { kind, from: now(), until: Infinity };
    this.made.push(fault);
    const detail = await this.#kinds[kind](forMs, fault);
    if (fault.until === Infinity) fault.until = now();
    const clock = `${((fault.from - startedAt) / 1000).toFixed(1)} s`.padStart(8);
    const lasted = fault.until - fault.from > 50 ? `, ${seconds(fault.until - fault.from)}` : '';
    void this.#firstArrival(fault).then((ms) => {
      const arrival = ms === null ? `no arrival for ${PATIENCE_MS / 1000} s` : `first arrival ${seconds(ms)} after it`;
      this.#say(`${clock}  ${kind.padEnd(11)}  ${detail}${lasted}; ${arrival}`);
    });
  }

  /** The time from the end of a fault to the next message that arrived. */
  async #firstArrival({ until }) {
    for (const deadline = now() + PATIENCE_MS; now() < deadline; await sleep(100)) {
      const at = await this.#parts.sink.ask('firstArrivalAfter', until);
      if (at !== null) return at - until;
    }
    return null;
  }

  #kinds = {
    kill: async (_forMs, fault) => {
      const { role, at } = await this.#parts.processes.kill();
      fault.from = fault.until = at;
      return role;
    },
    stop: async (forMs) => {
      const { role, resume } = await this.#parts.processes.stop();
      await sleep(forMs);
      resume();
      return role;
    },
    crash: () => (this.#random.between(0, 1) < 0.5 ? this.#crashServer() : this.#crashSession()),
    terminate: async () => {
      const share = this.#random.one([0.1, 0.5, 1]);
      const [{ count }] = await this.#parts.observer.query(
        `select count(pg_terminate_backend(pid))::int count from (${OWN_SESSIONS} and random() < $1) own`,
        [share],
      );
      return `${count} sessions`;
    },
    connections: async (forMs) => {
      const connections = new Connections(this.#parts.postgres.url);
      let taken = await connections.take();
      await connections.query(`select count(pg_terminate_backend(pid)) from (${OWN_SESSIONS} and random() < 0.7) own`);
      for (const end = now() + forMs; now() < end; await sleep(LOOK_MS)) taken += await connections.take();
      await connections.release();
      return `${taken} taken`;
    },
    disk: async (forMs) => {
      const { volume, observer } = this.#parts;
      if (volume !== null) {
        // Every other time, from the first on: a short run has only one.
        const isLogUsedUp = this.made.filter(({ kind }) => kind === 'disk').length % 2 === 1;
        await fillDisk(this.#parts, forMs, isLogUsedUp);
        return isLogUsedUp ? 'full, also for the log of PostgreSQL' : 'full';
      }
      await refuseRows(observer);
      await sleep(forMs);
      await takeRows(observer);
      return 'full (simulated)';
    },
    network: async (forMs) => {
      const { network } = this.#parts;
      const line = Math.floor(this.#random.between(0, network.facts.ports.length));
      const end = this.#random.one(['healed', 'reset', 'split']);
      await network.ask('swallow', { line, isSplit: end === 'split' });
      await sleep(forMs);
      await network.ask('heal', { line, isReset: end !== 'healed' });
      return `black hole of process ${line + 1}, then ${end}`;
    },
    answer: async () => `lost: ${await this.#parts.network.ask('loseAnswer')}`,
    provider: async (forMs, fault) => {
      const { sink } = this.#parts;
      const organization = (fault.organization = this.#random.one([RUDE, STRICT]));
      const how = this.#random.one(MISBEHAVIOUR);
      await sink.ask('misbehave', { organization, how });
      await sleep(forMs);
      await sink.ask('behave', { organization });
      return `of ${organization} ${how}`;
    },
  };

  /** An immediate stop. The embedded PostgreSQL starts it again. */
  async #crashServer() {
    const { postgres, observer } = this.#parts;
    const before = postgres.pid();
    process.kill(before, 'SIGQUIT');
    const isBack = () => ![before, NaN].includes(postgres.pid());
    for (const deadline = now() + PATIENCE_MS; !isBack(); await sleep(LOOK_MS))
      if (now() > deadline) throw new Error('PostgreSQL did not start again');
    await observer.reconnect();
    return 'SIGQUIT of PostgreSQL';
  }

  /** PostgreSQL ends all sessions if one of them crashes, and recovers. */
  async #crashSession() {
    const { observer } = this.#parts;
    const [session] = await observer.query(`${OWN_SESSIONS} order by random() limit 1`);
    if (!session) return this.#crashServer();
    process.kill(session.pid, 'SIGKILL');
    await sleep(100);
    await observer.reconnect();
    return 'SIGKILL of a session of PostgreSQL';
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
