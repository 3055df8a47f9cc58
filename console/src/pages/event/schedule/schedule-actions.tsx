import type { Schedule } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { seenOf, useEdit } from '../../../api/edit';
import { useCan } from '../../../api/session';
import { Problem } from '../../../components/problem';
import { Confirm } from '../../../form/confirm';
import { text } from '../../../text/text';
import type { EventPlace } from '../place';
import { ScheduleDialog } from './schedule-dialog';
import { SCHEDULE, useScheduleVersion } from './version';

interface Props {
  place: EventPlace;
  schedule: Schedule;
}

/** Edit, pause or resume, and delete. Only who may trigger the event may set a time for it. */
export function ScheduleActions({ place, schedule }: Props) {
  const can = useCan();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const { enabled } = schedule;
  const turn = useEdit({
    ...useScheduleVersion(place, () => seenOf(schedule)),
    write: (_: void, headers) => carillon.patch(SCHEDULE, { path: { ...place }, headers, body: { enabled: !enabled } }),
  });
  if (!can('event:write')) return <Needs />;
  const mayTrigger = can('event:trigger');
  return (
    <>
      <div className="row">
        <button className="button" disabled={!mayTrigger} onClick={() => setAsked('edit')}>
          {text.event.schedule.edit}
        </button>
        <button className="button" disabled={turn.isPending || (!enabled && !mayTrigger)} onClick={() => turn.mutate()}>
          {enabled ? text.event.schedule.pause : text.event.schedule.resume}
        </button>
        <button className="button danger" onClick={() => setAsked('delete')}>
          {text.event.schedule.remove}
        </button>
      </div>
      {!mayTrigger && <Needs />}
      {turn.error && <Problem error={turn.error} />}
      {asked === 'edit' && <ScheduleDialog place={place} schedule={schedule} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <Removal place={place} schedule={schedule} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Which permissions a session lacks that may not set a schedule. */
export function Needs() {
  return (
    <p className="soft">
      {text.event.schedule.needs} <code>event:write, event:trigger</code>
    </p>
  );
}

function Removal({ place, schedule, onClose }: Props & { onClose: () => void }) {
  const remove = useEdit({
    ...useScheduleVersion(place, () => seenOf(schedule)),
    write: (_: void, headers) => carillon.delete(SCHEDULE, { path: { ...place }, headers }),
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <Confirm
      title={text.event.schedule.ask}
      action={text.event.schedule.removeAction}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {text.event.schedule.removeHint}
    </Confirm>
  );
}
