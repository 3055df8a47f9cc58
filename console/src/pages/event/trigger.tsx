import type { TriggerOptions } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { CodeEditor } from '../../editor/code-editor';
import { readJson } from '../../editor/json';
import { CopyCurl } from '../../components/curl';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { Dialog } from '../../form/dialog';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { pathOf } from './place';
import type { EventPlace } from './place';
import { useContextOf } from './use-last-context';
import { useTakesRecipients } from './use-takes-recipients';

const TRIGGER = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/';
const SIMULATE = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/simulate/';

/** Triggers the event by hand. What it would send is shown first, if one asks. */
export function TriggerDialog({ place, onClose }: { place: EventPlace; onClose: () => void }) {
  const given = useContextOf(place);
  const can = useCan();
  const [typed, setTyped] = useState<string | null>(null);
  const takesRecipients = useTakesRecipients(place);
  const [recipients, setRecipients] = useState('');
  const [limitTo, setLimitTo] = useState('');
  const [sendAt, setSendAt] = useState('');
  const [priority, setPriority] = useState('');
  const source = typed ?? (given ? JSON.stringify(given, null, 2) : '');
  const { value: context, fault } = readJson(source);
  const [named, people] = [namesIn(recipients), namesIn(limitTo)];
  const options: TriggerOptions = {
    ...(takesRecipients && named.length > 0 && { recipients: named }),
    ...(people.length > 0 && { limit_to: people }),
    ...(sendAt && { send_at: new Date(sendAt).toISOString() }),
    ...(priority && { priority: priority as 'critical' | 'normal' | 'bulk' }),
  };
  const body = { context: (context ?? {}) as Record<string, unknown>, options };
  const simulate = useMutation({ mutationFn: () => carillon.post(SIMULATE, { path: { ...place }, body }) });
  const trigger = useWrite(
    () => carillon.post(TRIGGER, { path: { ...place }, body }),
    ...(['/api/o/{org}/p/{prj}/a/{app}/e/{evt}/o/', '/api/o/{org}/occurrences/'] as const),
  );
  if (trigger.data)
    return (
      <Dialog title={text.event.trigger.done} open onClose={onClose}>
        <p>
          <Link
            to="/o/$org/occurrences/$occurrence"
            params={{ org: place.org, occurrence: trigger.data.occurrence }}
            className="mono"
          >
            {trigger.data.occurrence}
          </Link>
        </p>
        <div className="actions">
          <button className="button primary" onClick={onClose}>
            {text.event.trigger.close}
          </button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={text.event.trigger.title(place.evt)}
      action={text.event.trigger.action}
      wide
      onClose={onClose}
      onSubmit={() => !fault && trigger.mutate(undefined)}
      isPending={trigger.isPending || given === undefined}
      error={trigger.error}
    >
      <div className="field">
        <span className="label">{text.event.trigger.context}</span>
        <CodeEditor
          label={text.event.trigger.context}
          value={source}
          onChange={setTyped}
          language="json"
          faults={fault ? [fault] : undefined}
        />
        <span className="hint">{text.event.trigger.contextHint}</span>
      </div>
      {takesRecipients && (
        <Field label={text.event.trigger.recipients} hint={text.event.trigger.recipientsHint}>
          <input
            className="input"
            value={recipients}
            onChange={(change) => setRecipients(change.target.value)}
            spellCheck={false}
            required
          />
        </Field>
      )}
      <Field label={text.event.trigger.limitTo} hint={text.event.trigger.limitToHint}>
        <input
          className="input"
          value={limitTo}
          onChange={(change) => setLimitTo(change.target.value)}
          spellCheck={false}
        />
      </Field>
      <div className="columns">
        <Field label={text.event.trigger.sendAt}>
          <input
            className="input"
            type="datetime-local"
            value={sendAt}
            onChange={(change) => setSendAt(change.target.value)}
          />
        </Field>
        <Field label={text.event.trigger.priority}>
          <select className="input" value={priority} onChange={(change) => setPriority(change.target.value)}>
            <option value="">{text.event.trigger.priorities.none}</option>
            <option value="bulk">{text.event.trigger.priorities.bulk}</option>
            <option value="normal">{text.event.trigger.priorities.normal}</option>
            {can('event:trigger-critical') && (
              <option value="critical">{text.event.trigger.priorities.critical}</option>
            )}
          </select>
        </Field>
      </div>
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={simulate.isPending || fault !== null}
          onClick={() => simulate.mutate()}
        >
          {text.event.trigger.simulate}
        </button>
        <span role="status">
          {simulate.data && text.event.trigger.would(simulate.data.totals.messages, simulate.data.totals.people)}
        </span>
        <span className="space" />
        <CopyCurl call={{ method: 'POST', path: `${pathOf(place)}trigger/`, body }} />
      </div>
      {simulate.error && <Problem error={simulate.error} />}
      {simulate.data && simulate.data.warnings.length > 0 && (
        <ul className="note warn">
          {simulate.data.warnings.map((warning, i) => (
            <li key={i}>{warning.detail}</li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}

const namesIn = (typed: string) => typed.split(/[\s,]+/).filter(Boolean);
