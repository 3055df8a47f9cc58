import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import type { Seen } from '../../api/mergeable';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Confirm } from '../../form/confirm';
import { Field } from '../../form/field';
import { LeaveForm } from '../../form/leave-form';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { EVENT } from './place';
import type { EventPlace } from './place';
import { Switches } from './switches';

const EVENTS = '/api/o/{org}/p/{prj}/a/{app}/e/';
const PARTS = ['name', 'category', 'max_recipients', 'retention_days', 'resolves_event'] as const;

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
  const { org, prj, app } = place;
  const mayWrite = useCan()('event:write');
  const event = useRead(EVENT, { path: { ...place } }).data;
  const categories = useRead('/api/o/{org}/p/{prj}/categories/', { path: { org, prj }, query: { limit: 1000 } }).data;
  const events = useRead(EVENTS, { path: { org, prj, app }, query: { limit: 1000 } }).data;
  const [typed, setTyped] = useState<Partial<Record<(typeof PARTS)[number], string>>>({});
  // As it was when one began to type.
  const seen = useRef(seenOf(event ?? {}));
  if (Object.keys(typed).length === 0) seen.current = seenOf(event ?? {});
  const write = useEdit({
    ...useVersion(place, () => seen.current),
    fields: (typed: Record<string, unknown>) => typed,
    write: (_: Record<string, unknown>, headers, body) => carillon.patch(EVENT, { path: { ...place }, headers, body }),
    onDone: () => setTyped({}),
    onReload: () => setTyped({}),
  });
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
    write.mutate(Object.fromEntries(given));
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
      <Field
        label={text.event.settings.resolvesEvent}
        hint={text.event.settings.resolvesEventHint}
        error={write.error}
        name="resolves_event"
      >
        <select {...input('resolves_event')}>
          <option value="">{text.event.settings.resolvesNone}</option>
          {resolvable(events, value('resolves_event')).map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {write.error && <Problem error={write.error} />}
      <LeaveForm isDirty={Object.keys(typed).length > 0} isOfTab />
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

/** The events to choose from, also the chosen one if it was deleted. */
function resolvable(events: { slug: string; name: string }[] = [], chosen: string) {
  const isKnown = chosen === '' || events.some(({ slug }) => slug === chosen);
  return isKnown ? events : [...events, { slug: chosen, name: chosen }];
}

/** How to find out who has changed the event meanwhile. */
const useVersion = (place: EventPlace, seen: () => Seen<object>) => ({
  seen,
  read: (): Promise<object> => carillon.get(EVENT, { path: { ...place } }),
  authors: useAuthors(place.org, 'event', `${place.prj}/${place.app}/${place.evt}`),
  reads: [EVENT, EVENTS] as const,
});

function Removal({ place }: { place: EventPlace }) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const event = useRead(EVENT, { path: { ...place } }).data;
  const remove = useEdit({
    ...useVersion(place, () => seenOf(event ?? {})),
    write: (_: void, headers) => carillon.delete(EVENT, { path: { ...place }, headers }),
    reads: [EVENTS],
    onDone: () => navigate({ to: '/o/$org/events', params: { org: place.org }, search: {} }),
    onReload: () => setAsked(false),
  });
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
          title={text.event.remove.ask(event?.name ?? place.evt)}
          action={text.event.remove.action}
          word={event?.name ?? place.evt}
          onClose={close}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.event.remove.hint}
        </Confirm>
      )}
    </section>
  );
}
