import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { Database } from '../../platform/database/database.js';
import type { StepPass, StepSurvey } from '../../platform/queue/task.js';
import { choicesOf } from '../../rules/ruleset/choices.js';
import { userQuery } from '../../rules/ruleset/user-query.js';
import type { RuleStepTo } from '../../rules/ruleset/rule.js';
import { lapseOf } from '../../rules/step/lapse.js';
import { ruleOfStep } from '../../rules/step/later-steps.js';
import type { LaterStep } from '../../rules/step/later-steps.js';
import { resolutionValues } from '../../rules/thread/resolution.js';
import { LOAD_RESOLUTIONS } from '../../rules/thread/resolution.sql.js';
import { findNamed } from '../expand/named-users.js';
import { dueOf, leastSeconds } from './step-due.js';
import { LAST_ACKNOWLEDGED, surveySteps, tellUsers } from './step-to.sql.js';
import type { Steps } from './steps.js';
import { CHUNK } from './time-slice.js';
import type { TimeSlice } from './time-slice.js';

/** `over`: it is taken, or not needed. `cut`: the time slice is over. A time: it is looked at again then. */
type Progress = 'over' | 'cut' | number;

interface SurveyRow extends StepSurvey {
  last: number | null;
  users: number;
}

/**
 * Takes a step with its own users: those of lists and an audience, as they are when it is due. Its evidence is asked for the occurrence as a whole:
 * one message before that was read, or an acknowledgement by anyone, makes it unnecessary.
 */
export class TellOthers {
  constructor(
    private readonly database: Database,
    private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** Notes its progress in `pass`. */
  async take(steps: Steps, place: number, pass: StepPass, slice: TimeSlice): Promise<Progress> {
    const step = steps.later[place]!;
    if (pass.telling === undefined) {
      const due = await this.due(steps, place, pass, slice);
      if (due !== 'due') return due;
      Object.assign(pass, { telling: 0, after: 0 });
    }
    for (; pass.telling! < step.channels.length; pass.telling!++, pass.after = 0)
      if (!(await this.tell(steps, step, pass, slice))) return 'cut';
    return 'over';
  }

  private async due(steps: Steps, place: number, pass: StepPass, slice: TimeSlice): Promise<Progress | 'due'> {
    const { occurrence, rule, later } = steps;
    const { unless } = later[place]!;
    if (unless) {
      const lapse = lapseOf(rule);
      const values = [occurrence.id, lapse];
      const { rows } = await this.database.query<{ lastAt: number }>('last-acknowledged', LAST_ACKNOWLEDGED, values);
      if (rows[0]) return lapse === null ? 'over' : rows[0].lastAt + lapse * 1000;
    }
    const resolution = resolutionValues(occurrence.id, [rule], occurrence.context);
    if (resolution && (await this.database.query('load-resolutions', LOAD_RESOLUTIONS, resolution)).rowCount! > 0)
      return 'over';
    const soonest = occurrence.expandedAt.getTime() + leastSeconds(later, place) * 1000;
    if (soonest > Date.now()) return soonest;
    const survey = await this.survey(steps, place, pass, slice);
    if (!survey) return 'cut';
    if (survey.isProven) return 'over';
    const { at, isKnown } = dueOf(later, place, survey, occurrence.expandedAt.getTime());
    return isKnown && at <= Date.now() ? 'due' : Math.max(at, Date.now() + 1);
  }

  /** Null: the time slice is over. */
  private async survey({ occurrence, rule, later }: Steps, place: number, pass: StepPass, slice: TimeSlice) {
    const { unless } = later[place]!;
    const coming = later.slice(place).flatMap(({ channels }) => channels);
    const all = (rule.steps ?? []).flatMap(({ channels }) => channels);
    const again = later.flatMap(({ channels, repeats: times, after: every }) =>
      times > 0 ? channels.map((channel) => ({ channel, times, every })) : [],
    );
    const survey = (pass.survey ??= { isProven: false, channels: {} });
    for (let users = CHUNK; users === CHUNK && !survey.isProven;) {
      if (slice.isOver) return null;
      const { rows } = await slice.during(
        this.database.query<SurveyRow>(`survey-steps${unless ? `-${unless}` : ''}`, surveySteps(unless), [
          ...[occurrence.id, rule.id, pass.after, CHUNK, all, coming, JSON.stringify(again)],
        ]),
      );
      const [row] = rows;
      users = row!.users;
      pass.after = row!.last ?? pass.after;
      merge(survey, row!);
    }
    return survey;
  }

  /** Returns whether all users of a channel are told. */
  private async tell({ occurrence, rule, channels }: Steps, step: LaterStep, pass: StepPass, slice: TimeSlice) {
    const { id, organizationId, recipients, eventId, context, options } = occurrence;
    const channel = channels.get(step.channels[pass.telling!]!)!;
    const own = ruleOfStep(rule, step.to!);
    const { only } = await findNamed(this.database, { organizationId, rules: [own], context, options });
    const users = {
      ...{ organizationId, rule: own, channelId: channel.id, channels, dispatchers: this.dispatchers, only: only(own) },
      choices: choicesOf(recipients, {
        ...{ eventId, channelType: channel.type, channel: channel.id, rule, context, options },
      }),
    };
    const more = [id, rule.id, options.priority ?? 'normal', step.unless !== null, lapseOf(rule)];
    const name = nameOf(step.to!, users.choices !== null);
    for (let told = CHUNK; told === CHUNK;) {
      if (slice.isOver) return false;
      const query = userQuery(users, { after: pass.after, limit: CHUNK }, tellUsers, more);
      type Row = { last: number | null; users: number };
      const { rows } = await slice.during(this.database.pool.query<Row>({ name, ...query }));
      told = rows[0]!.users;
      pass.after = rows[0]!.last ?? pass.after;
    }
    return true;
  }
}

/** A statement with an audience has a text of its own, so it gets no name. */
const nameOf = ({ audience }: RuleStepTo, choose: boolean) =>
  audience ? undefined : `tell-users${choose ? '-choose' : ''}`;

function merge(survey: StepSurvey, { isProven, channels }: StepSurvey): void {
  survey.isProven ||= isProven;
  for (const [channel, { sent, next, decided }] of Object.entries(channels)) {
    const before = survey.channels[channel];
    survey.channels[channel] = {
      sent: first(before?.sent, sent),
      next: first(before?.next, next),
      decided: Math.max(before?.decided ?? 0, decided ?? 0) || null,
    };
  }
}

const first = (a: number | null | undefined, b: number | null) => (a && b ? Math.min(a, b) : (a ?? b));
