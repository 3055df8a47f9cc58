import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { Field } from '../../form/field';
import { Problem } from '../../part/problem';
import { text } from '../../text/text';
import { EVENT } from './place';
import type { EventPlace } from './place';
import { Switches } from './switches';

const EVENTS = '/api/o/{org}/p/{prj}/a/{app}/e/';
const PARTS = ['name', 'category', 'max_recipients', 'retention_days'] as const;

/** Switches, settings, and the end of an event. */
export function EventSettings({ place }: { place: EventPlace }) {
  const can = useCan();
  return (
    <div className="columns">
      <SettingsForm place={place} />
      <div className="stack">
        <Switches place={place} />
        {can('event:write') && <Removal place={place} />}
      </div>
    </div>
  );
}

function SettingsForm({ place }: { place: EventPlace }) {
  const { org, prj } = place;
  const mayWrite = useCan()('event:write');
  const event = useRead(EVENT, { path: { ...place } }).data;
  const categories = useRead('/api/o/{org}/p/{prj}/categories/', { path: { org, prj }, query: { limit: 1000 } }).data;
  const [typed, setTyped] = useState<Partial<Record<(typeof PARTS)[number], string>>>({});
  const write = useWrite(
    (body: Record<string, unknown>) => carillon.patch(EVENT, { path: { ...place }, body }),
    ...([EVENT, EVENTS] as const),
  );
  if (!event) return null;
  const value = (name: (typeof PARTS)[number]) => typed[name] ?? String(event[name] ?? '');
  const input = (name: (typeof PARTS)[number]) => ({
    className: 'input',
    value: value(name),
    disabled: !mayWrite,
    onChange: (change: { target: { value: string } }) => setTyped({ ...typed, [name]: change.target.value }),
  });
  function submit(submitted: FormEvent) {
    submitted.preventDefault();
    const given = Object.entries(typed).map(([name, one]) => {
      const isNumber = name === 'max_recipients' || name === 'retention_days';
      return [name, one === '' ? null : isNumber ? Number(one) : one];
    });
    write.mutate(Object.fromEntries(given), { onSuccess: () => setTyped({}) });
  }
  return (
    <form className="card form" onSubmit={submit} aria-label={text.event.settings.title}>
      <h2>{text.event.settings.title}</h2>
      <Field label={text.event.name} error={write.error} name="name">
        <input {...input('name')} required />
      </Field>
      <Field label={text.event.category} hint={text.event.settings.category} error={write.error} name="category">
        <select {...input('category')}>
          <option value="">{text.event.noCategory}</option>
          {categories?.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label={text.event.settings.maxRecipients}
        hint={text.event.settings.maxRecipientsHint}
        error={write.error}
        name="max_recipients"
      >
        <input {...input('max_recipients')} type="number" min={1} />
      </Field>
      <Field
        label={text.event.settings.retention}
        hint={text.event.settings.retentionHint}
        error={write.error}
        name="retention_days"
      >
        <input {...input('retention_days')} type="number" min={1} />
      </Field>
      {write.error && <Problem error={write.error} />}
      {mayWrite && (
        <div className="row">
          <button className="button primary" disabled={write.isPending || Object.keys(typed).length === 0}>
            {text.event.settings.save}
          </button>
          {write.isSuccess && Object.keys(typed).length === 0 && (
            <span className="soft" role="status">
              {text.event.settings.saved}
            </span>
          )}
        </div>
      )}
    </form>
  );
}

function Removal({ place }: { place: EventPlace }) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const remove = useWrite(() => carillon.delete(EVENT, { path: { ...place } }), EVENTS);
  const close = () => {
    setAsked(false);
    remove.reset();
  };
  return (
    <section className="card stack">
      <h2>{text.event.remove.title}</h2>
      <p className="soft">{text.event.remove.hint}</p>
      <div className="row">
        <button className="button danger" onClick={() => setAsked(true)}>
          {text.event.remove.open}
        </button>
      </div>
      {isAsked && (
        <Confirm
          title={text.event.remove.ask(place.evt)}
          action={text.event.remove.action}
          word={place.evt}
          onClose={close}
          onConfirm={() =>
            remove.mutate(undefined, {
              onSuccess: () => void navigate({ to: '/o/$org/events', params: { org: place.org }, search: {} }),
            })
          }
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.event.remove.hint}
        </Confirm>
      )}
    </section>
  );
}
