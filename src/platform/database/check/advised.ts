import type { Client } from 'pg';
import type { Config } from '../../config/config.js';
import type { Check } from './check.js';

const LOOK = `
  select (select reset_val from pg_settings where name = 'default_transaction_isolation') isolation,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) allowed,
    current_setting('max_connections')::int max,
    count(*) filter (where s.datname is distinct from current_database() or s.application_name not like 'carillon%')::int others,
    count(*) filter (where s.datname = current_database() and s.application_name = 'carillon queue lock')::int workers
  from pg_stat_activity s where s.backend_type = 'client backend' and s.pid <> pg_backend_pid()`;

interface Look {
  isolation: string;
  /** Connections that PostgreSQL accepts for this database and this role. */
  allowed: number;
  max: number;
  /** Connections that are not Carillon's. */
  others: number;
  /** Processes with a worker that run now. */
  workers: number;
}

const SESSIONS = `
  select inet_server_addr() is null or current_setting('tcp_keepalives_idle')::int between 1 and 60 "hasKeepalives",
    current_setting('idle_in_transaction_session_timeout') <> '0' "hasIdleTimeout",
    (select coalesce(string_agg(pid::text, ', '), '') from pg_stat_activity
     where datname = current_database() and application_name like 'carillon%' and state like 'idle in transaction%'
       and state_change < clock_timestamp() - interval '15 minutes') forgotten`;

interface Sessions {
  hasKeepalives: boolean;
  hasIdleTimeout: boolean;
  /** Sessions with a transaction whose process has been silent for longer than any of ours is. */
  forgotten: string;
}

/** A machine that vanishes must not keep its locks and transactions. The settings are those of every session that we open. */
async function sessionsCheck(client: Client): Promise<Check> {
  const { hasKeepalives, hasIdleTimeout, forgotten } = (await client.query<Sessions>(SESSIONS)).rows[0]!;
  const problem = !hasKeepalives
    ? 'PostgreSQL ignores tcp_keepalives_idle'
    : !hasIdleTimeout
      ? 'PostgreSQL ignores idle_in_transaction_session_timeout'
      : forgotten && `transactions of sessions that say nothing any more are open: ${forgotten}`;
  return {
    name: 'sessions',
    ok: !problem,
    detail: problem || 'a machine that vanishes loses its sessions within seconds',
    advice: forgotten
      ? 'end them with select pg_terminate_backend(PID): their machine has probably vanished'
      : 'connect to PostgreSQL itself, or to a pooler in session mode that passes SET on',
  };
}

/** What an operator should know of the database. None of it stops a start. */
export async function advisedChecks(client: Client, config: Config): Promise<Check[]> {
  const { isolation, allowed, max, others, workers } = (await client.query<Look>(LOOK)).rows[0]!;
  const processes = config.role === 'api' ? config.processes : Math.max(config.processes, workers);
  const need = processes * connectionsPerProcess(config);
  return [
    await sessionsCheck(client),
    {
      name: 'isolation',
      ok: true,
      detail: `the default is ${isolation}${isolation === 'read committed' ? '' : '; Carillon sets read committed in its own sessions'}`,
    },
    {
      name: 'connections',
      ok: need <= allowed - others,
      detail: `${processes === 1 ? '1 process' : `${processes} processes`} with ROLE=${config.role} may open ${need}; PostgreSQL has ${allowed - others} (max_connections ${max}, ${others} used by others)`,
      advice:
        'raise max_connections of PostgreSQL, or lower DATABASE_POOL_MAX or PROCESSES; add the processes on other machines yourself',
    },
  ];
}

/** The table in docs/operations.md: the pool, the watch, a listener of an API process, and the queue and the purge of a worker. */
function connectionsPerProcess({ role, databasePoolMax }: Config): number {
  return databasePoolMax + 1 + (role === 'worker' ? 0 : 1) + (role === 'api' ? 0 : 6);
}
