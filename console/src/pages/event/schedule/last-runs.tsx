import type { Schedule, ScheduleRun } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../../api/session';
import { Badge } from '../../../components/badge';
import { text } from '../../../text/text';
import { Slots } from './slots';

const FIRST = 10;

/** The slots that have come, newest first, and what became of them. */
export function LastRuns({ org, schedule }: { org: string; schedule: Schedule }) {
  const { time_zone: zone, last_runs: runs } = schedule;
  const [isAll, setAll] = useState(false);
  return (
    <section className="stack">
      <h2>{text.event.schedule.lastRuns}</h2>
      {runs.length === 0 ? (
        <p className="soft">{text.event.schedule.noLastRuns}</p>
      ) : (
        <Slots
          label={text.event.schedule.lastRuns}
          zone={zone}
          items={isAll ? runs : runs.slice(0, FIRST)}
          slotOf={({ slot }) => slot}
          more={{ name: text.event.schedule.result, cell: (run) => <Result org={org} run={run} /> }}
        />
      )}
      {!isAll && runs.length > FIRST && (
        <div className="row">
          <button className="button" onClick={() => setAll(true)}>
            {text.table.more}
          </button>
        </div>
      )}
      <p className="soft">{text.event.schedule.missed}</p>
    </section>
  );
}

function Result({ org, run: { occurrence, skipped } }: { org: string; run: ScheduleRun }) {
  const can = useCan();
  if (occurrence === null)
    return (
      <span>
        <Badge tone="warn">{text.event.schedule.skipped}</Badge> {skipped}
      </span>
    );
  if (!can('occurrence:read')) return <Badge tone="good">{text.event.schedule.triggered}</Badge>;
  return (
    <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence }}>
      {text.event.schedule.occurrence}
    </Link>
  );
}
