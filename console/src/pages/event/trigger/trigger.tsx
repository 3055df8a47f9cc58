import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useEventNames } from '../../../api/names';
import { carillon } from '../../../api/carillon';
import { useCan } from '../../../api/session';
import { useWrite } from '../../../api/write';
import { CopyCurl } from '../../../components/curl';
import { Field } from '../../../form/field';
import { FormDialog } from '../../../form/form-dialog';
import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import { FilesField, useFiles } from './files-field';
import { pathOf } from '../place';
import type { EventPlace } from '../place';
import { TriggerFields, useTriggerForm } from './trigger-fields';
import { Triggered } from './triggered';
import { WouldSend, wouldSend } from './would-send';

const TRIGGER = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/';
const SIMULATE = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/simulate/';

/** Triggers the event by hand. What it would send is shown first, if one asks. */
export function TriggerDialog({ place, onClose }: { place: EventPlace; onClose: () => void }) {
  const { org, prj, app, evt } = place;
  const { event } = useEventNames(org, { project: prj, application: app, event: evt });
  const form = useTriggerForm(place);
  const can = useCan();
  const files = useFiles(org);
  const [sendAt, setSendAt] = useState('');
  const { context, options } = form.body;
  const more = {
    ...(sendAt && { send_at: new Date(sendAt).toISOString() }),
    ...(files.attachments.length > 0 && { attachments: files.attachments }),
  };
  const body = { context, options: { ...options, ...more } };
  const simulate = useMutation({ mutationFn: () => carillon.post(SIMULATE, { path: { ...place }, body }) });
  const trigger = useWrite(
    () => carillon.post(TRIGGER, { path: { ...place }, body }),
    ...(['/api/o/{org}/p/{prj}/a/{app}/e/{evt}/o/', '/api/o/{org}/occurrences/'] as const),
  );
  if (trigger.data) return <Triggered {...{ place, event, onClose }} occurrence={trigger.data.occurrence} />;
  return (
    <FormDialog
      title={text.event.trigger.title(event)}
      action={text.event.trigger.action}
      wide
      onClose={onClose}
      onSubmit={() => !form.fault && trigger.mutate(undefined)}
      isPending={trigger.isPending || files.upload.isPending || !form.isReady}
      error={trigger.error}
    >
      <TriggerFields form={form} contextHint={text.event.trigger.contextHint} error={trigger.error}>
        <Field label={text.event.trigger.sendAt}>
          <input
            className="input"
            type="datetime-local"
            value={sendAt}
            onChange={(change) => setSendAt(change.target.value)}
          />
        </Field>
      </TriggerFields>
      {can('upload:write') && <FilesField {...files} />}
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={simulate.isPending || form.fault !== null}
          onClick={() => simulate.mutate()}
        >
          {text.event.trigger.simulate}
        </button>
        <span role="status">{simulate.data && wouldSend(simulate.data)}</span>
        <span className="space" />
        <CopyCurl call={{ method: 'POST', path: `${pathOf(place)}trigger/`, body }} />
      </div>
      {simulate.error && <Problem error={simulate.error} />}
      {simulate.data && <WouldSend place={place} simulation={simulate.data} />}
    </FormDialog>
  );
}
