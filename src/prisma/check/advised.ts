import type { Client } from 'pg';
import type { Config } from '../../config/config.js';
import type { Check } from './check.js';

const LOOK = `
  select current_setting('default_transaction_isolation') isolation,
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

/** What an operator should know of the database. None of it stops a start. */
export async function advisedChecks(client: Client, config: Config): Promise<Check[]> {
  const { isolation, allowed, max, others, workers } = (await client.query<Look>(LOOK)).rows[0]!;
  const processes = config.role === 'api' ? config.processes : Math.max(config.processes, workers);
  const need = processes * connectionsPerProcess(config);
  return [
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
