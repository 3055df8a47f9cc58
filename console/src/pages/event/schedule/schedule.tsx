import type { Schedule } from '@carillon/client';
import { useState } from 'react';
import { useRead, useReadOrNull } from '../../../api/read';
import { useCan } from '../../../api/session';
import { Badge } from '../../../components/badge';
import { MoreMenu } from '../../../components/more-menu';
import { Empty } from '../../../components/empty';
import { Problem } from '../../../components/problem';
import { Rows } from '../../../components/skeleton';
import { text } from '../../../text/text';
import { EVENT } from '../place';
import type { EventPlace } from '../place';
import { LastRuns } from './last-runs';
import { patternOf } from './pattern';
import { Needs, ScheduleActions } from './schedule-actions';
import { ScheduleDialog } from './schedule-dialog';
import { Slots } from './slots';
import { SCHEDULE, schedulePath } from './version';

/** When the event is triggered by itself, again and again. */
export function EventSchedule({ place }: { place: EventPlace }) {
  const [isNew, setNew] = useState(false);
  return (
    <>
      <Current place={place} create={() => setNew(true)} />
      {isNew && <ScheduleDialog place={place} onClose={() => setNew(false)} />}
    </>
  );
}

function Current({ place, create }: { place: EventPlace; create: () => void }) {
  const { data: schedule, error, refetch } = useReadOrNull(SCHEDULE, { path: { ...place } });
  if (schedule === null) return <NoSchedule create={create} />;
  if (error && !schedule) return <Problem error={error} again={() => void refetch()} />;
  if (!schedule) return <Rows />;
  return (
    <div className="schedule">
      <section className="card stack" aria-label={text.event.tabs.schedule}>
        <div className="head">
          <div className="head-title">
            <h2>{sentenceOf(schedule)}</h2>
            <Badge tone={schedule.enabled ? 'good' : 'warn'}>
              {schedule.enabled ? text.event.on : text.event.schedule.paused}
            </Badge>
          </div>
          <MoreMenu live={error ? 'lost' : 'polled'} call={{ path: schedulePath(place) }} />
        </div>
        <Facts schedule={schedule} />
        <ScheduleActions place={place} schedule={schedule} />
      </section>
      <NextRuns place={place} schedule={schedule} />
      <LastRuns org={place.org} schedule={schedule} />
    </div>
  );
}

function NoSchedule({ create }: { create: () => void }) {
  const can = useCan();
  const button = (
    <button className="button primary" onClick={create}>
      {text.event.schedule.create}
    </button>
  );
  return (
    <Empty title={text.event.schedule.none} action={can('event:write') && can('event:trigger') ? button : <Needs />}>
      {text.event.schedule.noneHint}
    </Empty>
  );
}

function Facts({ schedule: { cron, time_zone, context, options } }: { schedule: Schedule }) {
  return (
    <dl className="facts">
      <dt>{text.event.schedule.cron}</dt>
      <dd>
        <code>{cron}</code>
      </dd>
      <dt>{text.event.schedule.zone}</dt>
      <dd>{time_zone}</dd>
      <dt>{text.event.trigger.context}</dt>
      <dd>
        <code>{JSON.stringify(context)}</code>
      </dd>
      {Object.keys(options).length > 0 && (
        <>
          <dt>{text.event.schedule.options}</dt>
          <dd>
            <code>{JSON.stringify(options)}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

function NextRuns({
  place,
  schedule: { next_runs: runs, time_zone: zone },
}: {
  place: EventPlace;
  schedule: Schedule;
}) {
  const event = useRead(EVENT, { path: { ...place } }).data;
  return (
    <section className="stack">
      <h2>{text.event.schedule.nextRuns}</h2>
      {event?.enabled === false && <p className="note warn">{text.event.schedule.eventOff}</p>}
      {runs.length === 0 ? (
        <p className="soft">{text.event.schedule.noNextRuns}</p>
      ) : (
        <Slots label={text.event.schedule.nextRuns} zone={zone} items={runs} slotOf={(slot) => slot} />
      )}
    </section>
  );
}

/** Such as `Every Monday at 09:00`. */
function sentenceOf({ cron }: Schedule): string {
  const { preset, minute, time, day } = patternOf(cron);
  return text.event.schedule.sentences[preset]({ minute, time, day: text.event.schedule.days[day] });
}
