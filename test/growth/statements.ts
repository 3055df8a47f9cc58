import { RESOLVE } from '../../src/auth/scope.sql.js';
import { compileAudience } from '../../src/condition/audience.js';
import * as explain from '../../src/explain/explain.sql.js';
import { STORE, STORE_KEYED } from '../../src/occurrence/occurrence.sql.js';
import * as deliver from '../../src/pipeline/deliver/deliver.sql.js';
import * as expand from '../../src/pipeline/expand/expand.sql.js';
import * as outcomes from '../../src/pipeline/outcome/outcomes.sql.js';
import * as purge from '../../src/pipeline/purge/purge.sql.js';
import * as pause from '../../src/pipeline/steer/pause.sql.js';
import * as steer from '../../src/pipeline/steer/steer.sql.js';
import { TAKE_JOBS } from '../../src/queue/task.js';
import { DEAD_WORKERS, EXHAUSTED } from '../../src/queue/worker.js';
import { FIRST_FREE_PARAMETER, reachedPeople } from '../../src/ruleset/people.sql.js';
import * as simulate from '../../src/simulate/simulate.sql.js';
import * as report from '../../src/status-webhook/report.sql.js';
import { QUEUE_DEPTH } from '../../src/watch/queue-depth.js';

const isStatement = (text: unknown): text is string =>
  typeof text === 'string' && /^\s*(with|select|insert|update|delete)\s/.test(text);

/** Those that a module exports as texts, alone or in an object: whoever adds one adds it here too. */
const textsOf = (module: object): [string, string][] =>
  Object.entries(module).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? textsOf(value).map(([key, text]): [string, string] => [`${name}.${key}`, text])
      : isStatement(value)
        ? [[name, value]]
        : [],
  );

const audience = (firstParameter: number) =>
  compileAudience({ field: 'custom_fields.team', is: 'ops' }, firstParameter).sql;

const fallBack = outcomes.fallBack({ channelId: 1, addressKind: 'email', template: null }, 'normal');
const tell = report.report({ application: 1, outcomes: ['sent'] });

/** The statements of requests and of the pipeline, by name. */
export const STATEMENTS: Record<string, string> = {
  RESOLVE,
  STORE: STORE.text,
  STORE_KEYED: STORE_KEYED.text,
  DEAD_WORKERS,
  EXHAUSTED,
  QUEUE_DEPTH,
  TAKE_JOBS: TAKE_JOBS.text,
  ...Object.fromEntries([deliver, expand, explain, pause, purge, report, simulate, steer].flatMap(textsOf)),
  expandChunk: expand.expandChunk(null, { failed: false, locked: false }),
  'expandChunk with a locked job': expand.expandChunk(null, { failed: false, locked: true }),
  'expandChunk of a rule that failed': expand.expandChunk(null, { failed: true, locked: false }),
  'expandChunk of an audience': expand.expandChunk(audience(FIRST_FREE_PARAMETER + 9), {
    failed: false,
    locked: false,
  }),
  judgeNow: explain.judgeNow(null),
  'judgeNow of an audience': explain.judgeNow(audience(FIRST_FREE_PARAMETER)),
  reachedPeople: reachedPeople(null),
  countPeople: simulate.countPeople(null),
  firstPeople: simulate.firstPeople(null),
  writeOutcomes: outcomes.writeOutcomes([]).text,
  'writeOutcomes with a fallback, a status webhook and an inbox': outcomes.writeOutcomes([
    outcomes.addToInbox,
    fallBack,
    tell,
  ]).text,
};
