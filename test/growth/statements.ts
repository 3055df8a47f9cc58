import * as audit from '../../src/platform/audit/audit.sql.js';
import * as recipient from '../../src/auth/recipient/recipient.sql.js';
import {
  RESOLVE_BRANCH,
  RESOLVE_LEAF,
  RESOLVE_SESSION_BRANCH,
  RESOLVE_SESSION_LEAF,
} from '../../src/auth/scope.sql.js';
import { COUNT_FAILING, GIVEN_UP } from '../../src/platform/queue/paused.sql.js';
import { LIST_CHANNEL_HEALTH } from '../../src/api/channel/channel-health.service.js';
import { compileAudience } from '../../src/rules/condition/audience.js';
import { STORE_RESOLUTIONS, THREADS_OF_EVENT } from '../../src/api/occurrence/resolve/resolve.sql.js';
import { LOAD_RESOLUTIONS } from '../../src/rules/thread/resolution.sql.js';
import { ACKNOWLEDGE } from '../../src/api/occurrence/acknowledge/acknowledge.sql.js';
import * as explain from '../../src/api/explain/explain.sql.js';
import { INBOX_STATES, MARKS } from '../../src/api/inbox/inbox.dto.js';
import * as inbox from '../../src/api/inbox/inbox.sql.js';
import { STORE, STORE_KEYED } from '../../src/api/occurrence/occurrence.sql.js';
import * as alert from '../../src/engine/alert/alert.sql.js';
import * as deliver from '../../src/engine/deliver/deliver-chunk.sql.js';
import * as batch from '../../src/engine/expand/expand-small.sql.js';
import * as expandOne from '../../src/engine/expand/expand-large.sql.js';
import * as places from '../../src/engine/digest/limit-reservations.sql.js';
import * as outcomes from '../../src/engine/outcome/outcomes.sql.js';
import * as figures from '../../src/engine/figure/count-figures.sql.js';
import * as purge from '../../src/engine/purge/purge.sql.js';
import * as resume from '../../src/engine/steer/resume.sql.js';
import * as steer from '../../src/engine/steer/steer.sql.js';
import * as step from '../../src/engine/step/step.sql.js';
import * as stepTo from '../../src/engine/step/step-to.sql.js';
import * as stepProof from '../../src/api/explain/step/step-proof.sql.js';
import * as snoozed from '../../src/engine/inbox/snoozed.sql.js';
import * as unread from '../../src/engine/inbox/unread.sql.js';
import * as job from '../../src/platform/queue/job.sql.js';
import { EVIDENCE } from '../../src/rules/ruleset/rule.js';
import { FIRST_FREE_PARAMETER, judgedRoom, judgedUsers, reachedUsers } from '../../src/rules/ruleset/users.sql.js';
import * as simulate from '../../src/api/simulate/simulate.sql.js';
import * as providerReport from '../../src/engine/provider-report/provider-report.sql.js';
import * as report from '../../src/engine/report/report.sql.js';
import * as sending from '../../src/api/summary/sending.sql.js';
import * as summary from '../../src/api/summary/summary.sql.js';
import * as waiting from '../../src/api/summary/waiting.sql.js';
import { QUEUE_DEPTH, UNACKNOWLEDGED } from '../../src/platform/telemetry/queue-depth.js';
import { FIND_ASKED } from '../../src/api/recipient-page/acknowledge/acknowledge-page.sql.js';

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

const fallBack = outcomes.fallBack({ channelId: 1, addressKind: 'email', template: null }, 'normal', true);
const tell = report.report({ application: 1, outcomes: ['sent'] });

const PLAIN = { choose: false, gather: false };
const CHOOSE = { choose: true, gather: false };
const GATHER = { choose: true, gather: true };

/** The statements of requests and of the pipeline, by name. */
export const STATEMENTS: Record<string, string> = {
  RESOLVE_BRANCH,
  RESOLVE_LEAF,
  RESOLVE_SESSION_BRANCH,
  RESOLVE_SESSION_LEAF,
  STORE: STORE.text,
  STORE_KEYED: STORE_KEYED.text,
  QUEUE_DEPTH,
  UNACKNOWLEDGED,
  FIND_ASKED,
  LIST_CHANNEL_HEALTH,
  ACKNOWLEDGE,
  LOAD_RESOLUTIONS,
  STORE_RESOLUTIONS,
  THREADS_OF_EVENT,
  COUNT_FAILING,
  GIVEN_UP,
  ...Object.fromEntries(
    [
      alert,
      audit,
      batch,
      deliver,
      expandOne,
      explain,
      figures,
      inbox,
      job,
      places,
      purge,
      recipient,
      providerReport,
      report,
      resume,
      simulate,
      snoozed,
      unread,
      steer,
      step,
      stepTo,
      stepProof,
      summary,
      sending,
      waiting,
    ].flatMap(textsOf),
  ),
  ...Object.fromEntries([null, ...INBOX_STATES].map((state) => [`listInbox ${state}`, inbox.listInbox(state)])),
  ...Object.fromEntries(
    [null, ...INBOX_STATES].map((state) => [`listInboxOfCategory ${state}`, inbox.listInboxOfCategory(state)]),
  ),
  ...Object.fromEntries(MARKS.map((as) => [`markMessages ${as}`, inbox.markMessages(as)])),
  ...Object.fromEntries(MARKS.filter((as) => as !== 'snoozed').map((as) => [`markUpTo ${as}`, inbox.markUpTo(as)])),
  nextSealed: audit.nextSealed('organization'),
  'nextSealed of no organization': audit.nextSealed('none'),
  expandBatch: batch.expandBatch(null, { rooms: false, ...PLAIN }),
  'expandBatch with rooms': batch.expandBatch(null, { rooms: true, ...PLAIN }),
  'expandBatch with named users': batch.expandBatch(null, { rooms: true, named: 'all', ...PLAIN }),
  'expandBatch with some named users': batch.expandBatch(audience(3), { rooms: false, named: 'some', ...PLAIN }),
  'expandBatch of an audience': batch.expandBatch(audience(3), { rooms: false, ...PLAIN }),
  'expandBatch with choices': batch.expandBatch(null, { rooms: true, ...CHOOSE }),
  'expandBatch with digests and limits': batch.expandBatch(null, { rooms: true, ...GATHER }),
  expandChunk: expandOne.expandChunk(judgedUsers(null, PLAIN), { failed: false, ...PLAIN }),
  'expandChunk with choices': expandOne.expandChunk(judgedUsers(null, CHOOSE), { failed: false, ...CHOOSE }),
  'expandChunk with digests and limits': expandOne.expandChunk(judgedUsers(null, GATHER), {
    failed: false,
    ...GATHER,
  }),
  'expandChunk of a room': expandOne.expandChunk(judgedRoom(PLAIN), { failed: false, ...PLAIN }),
  'expandChunk of a rule that failed': expandOne.expandChunk(judgedUsers(null, PLAIN), { failed: true, ...PLAIN }),
  'expandChunk of an audience': expandOne.expandChunk(judgedUsers(audience(FIRST_FREE_PARAMETER + 8), PLAIN), {
    failed: false,
    ...PLAIN,
  }),
  'expandBatch with steps': batch.expandBatch(null, { rooms: false, steps: true, ...PLAIN }),
  'expandChunk with steps': expandOne.expandChunk(judgedUsers(null, PLAIN), { failed: false, steps: true, ...PLAIN }),
  'takeStep for each': step.takeStep({ unless: 'acknowledged', choose: false, each: true, again: false }),
  takeStep: step.takeStep({ unless: null, choose: false, each: false, again: false }),
  surveySteps: stepTo.surveySteps('read'),
  findProof: stepProof.findProof('read'),
  tellUsers: stepTo.tellUsers(null, PLAIN),
  'tellUsers with choices': stepTo.tellUsers(null, CHOOSE),
  'takeStep again': step.takeStep({ unless: 'read', choose: true, each: false, again: true }),
  'takeStep of a thread': step.takeStep({ unless: 'read', choose: true, each: false, again: false, thread: true }),
  ...Object.fromEntries(
    EVIDENCE.map((unless) => [
      `takeStep unless ${unless}`,
      step.takeStep({ unless, choose: true, each: false, again: false }),
    ]),
  ),
  judgeNow: explain.judgeNow(null, PLAIN),
  'judgeNow of an audience': explain.judgeNow(audience(FIRST_FREE_PARAMETER), PLAIN),
  'judgeNow with choices': explain.judgeNow(null, CHOOSE),
  reachedUsers: reachedUsers(null, PLAIN),
  usersByGate: simulate.usersByGate(null, PLAIN),
  firstUsers: simulate.firstUsers(null, PLAIN),
  writeOutcomes: outcomes.writeOutcomes([]).text,
  'writeOutcomes with a fallback, a status webhook and an inbox': outcomes.writeOutcomes(
    [outcomes.addToInbox, fallBack, tell],
    { hasIds: true, hasRich: true },
  ).text,
};
