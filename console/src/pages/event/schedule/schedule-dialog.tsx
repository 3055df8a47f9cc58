import type { Schedule } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { seenOf, useEdit } from '../../../api/edit';
import { CopyCurl } from '../../../components/curl';
import { Field } from '../../../form/field';
import { FormDialog } from '../../../form/form-dialog';
import { ZoneInput } from '../../../form/zone-input';
import { text } from '../../../text/text';
import type { EventPlace } from '../place';
import { TriggerFields, useTriggerForm } from '../trigger/trigger-fields';
import { NEW_PATTERN, cronOf, patternOf } from './pattern';
import { PatternFields } from './pattern-fields';
import { Slots } from './slots';
import { useNextRuns } from './use-next-runs';
import { SCHEDULE, schedulePath, useScheduleVersion } from './version';

interface Props {
  place: EventPlace;
  /** As it was read when the dialog was opened. None: a new one. */
  schedule?: Schedule;
  onClose: () => void;
}

export function ScheduleDialog({ place, schedule, onClose }: Props) {
  const [seen] = useState(() => seenOf(schedule ?? {}));
  const [pattern, setPattern] = useState(() => (schedule ? patternOf(schedule.cron) : NEW_PATTERN));
  const [zone, setZone] = useState(() => schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const form = useTriggerForm(place, schedule);
  const body = { cron: cronOf(pattern), time_zone: zone.trim(), ...form.body, enabled: schedule?.enabled ?? true };
  const save = useEdit({
    ...useScheduleVersion(place, () => seen),
    fields: () => body,
    isPut: true,
    // As `body`, with what others have changed.
    write: (_: void, headers, merged) =>
      carillon.put(SCHEDULE, { path: { ...place }, headers, body: merged as typeof body }),
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <FormDialog
      title={schedule ? text.event.schedule.editTitle : text.event.schedule.create}
      action={schedule ? text.confirm.save : text.event.schedule.createAction}
      wide
      onClose={onClose}
      onSubmit={() => !form.fault && save.mutate()}
      isPending={save.isPending || !form.isReady}
      error={save.error}
    >
      <PatternFields pattern={pattern} onChange={setPattern} error={save.error} />
      <Field label={text.event.schedule.zone} hint={text.event.schedule.zoneHint} error={save.error} name="time_zone">
        <ZoneInput value={zone} onType={setZone} required />
      </Field>
      <Preview cron={body.cron} zone={body.time_zone} />
      <TriggerFields form={form} contextHint={text.event.schedule.contextHint} error={save.error} />
      <div className="row">
        <span className="space" />
        <CopyCurl call={{ method: 'PUT', path: schedulePath(place), body }} />
      </div>
    </FormDialog>
  );
}

/** When the schedule would run, while one types. */
function Preview({ cron, zone }: { cron: string; zone: string }) {
  const runs = useNextRuns(cron, zone);
  return (
    <div className="stack">
      <div className="row">
        <span className="label">{text.event.schedule.nextRuns}</span>
        <span className="soft" role="status">
          {runs === null && text.event.schedule.incomplete}
        </span>
      </div>
      {runs && <Slots label={text.event.schedule.nextRuns} zone={zone} items={runs} slotOf={(slot) => slot} />}
    </div>
  );
}
