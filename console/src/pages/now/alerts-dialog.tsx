import type { OrganizationSettings } from '@carillon/client';
import { useRef, useState } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { useRead } from '../../api/read';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { PersonInput } from '../../form/person-input';
import { text } from '../../text/text';

const SETTINGS = '/api/o/{org}/settings/';

interface Props {
  org: string;
  settings: OrganizationSettings;
  onClose: () => void;
}

/** Who is told of what needs somebody, and of which backlog. */
export function AlertsDialog({ org, settings, onClose }: Props) {
  const seen = useRef(seenOf(settings));
  const stored = settings.alerts;
  const [users, setUsers] = useState(stored?.users ?? []);
  const [typed, setTyped] = useState('');
  const [channels, setChannels] = useState(stored?.channels ?? []);
  const [minutes, setMinutes] = useState(stored?.waiting_minutes?.toString() ?? '');
  const [perHour, setPerHour] = useState(String(stored?.per_hour ?? 10));
  const rooms = [...new Set([...useRooms(org), ...channels])];
  const named = typed.trim() === '' ? users : [...new Set([...users, typed.trim()])];
  const alerts =
    named.length + channels.length === 0
      ? null
      : { users: named, channels, waiting_minutes: minutes === '' ? null : Number(minutes), per_hour: Number(perHour) };
  const path = { org };
  const write = useEdit({
    seen: () => seen.current,
    read: () => carillon.get(SETTINGS, { path }),
    fields: () => ({ alerts }),
    write: (_: void, headers, body) => carillon.patch(SETTINGS, { path, headers, body }),
    authors: useAuthors(org, 'organization', org),
    reads: [SETTINGS],
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <FormDialog
      title={text.alerts.title}
      action={text.alerts.save}
      onClose={onClose}
      onSubmit={() => write.mutate()}
      isPending={write.isPending}
      error={write.error}
    >
      <p className="soft">{text.alerts.intro}</p>
      {users.length > 0 && (
        <ul className="switches">
          {users.map((name) => (
            <li key={name}>
              <span>{name}</span>
              <button
                type="button"
                className="button small"
                aria-label={text.alerts.remove(name)}
                onClick={() => setUsers(users.filter((one) => one !== name))}
              >
                {text.alerts.removeShort}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field label={text.alerts.user} hint={text.alerts.userHint} error={write.error} name="alerts.users">
        <PersonInput org={org} value={typed} onType={setTyped} />
      </Field>
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={typed.trim() === ''}
          onClick={() => {
            setUsers(named);
            setTyped('');
          }}
        >
          {text.alerts.add}
        </button>
      </div>
      {rooms.length > 0 && (
        <fieldset className="targets">
          <legend className="label">{text.alerts.rooms}</legend>
          {rooms.map((room) => (
            <label className="check" key={room}>
              <input
                type="checkbox"
                checked={channels.includes(room)}
                onChange={({ target }) =>
                  setChannels(target.checked ? [...channels, room] : channels.filter((one) => one !== room))
                }
              />
              <span>{room}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Field
        label={text.alerts.minutes}
        hint={text.alerts.minutesHint}
        error={write.error}
        name="alerts.waiting_minutes"
      >
        <input
          className="input"
          type="number"
          min={1}
          value={minutes}
          onChange={({ target }) => setMinutes(target.value)}
        />
      </Field>
      <Field label={text.alerts.perHour} hint={text.alerts.perHourHint} error={write.error} name="alerts.per_hour">
        <input
          className="input"
          type="number"
          min={1}
          value={perHour}
          onChange={({ target }) => setPerHour(target.value)}
          required
        />
      </Field>
    </FormDialog>
  );
}

/** The channels that are one room or one URL for everyone. A log reaches nobody. */
function useRooms(org: string): string[] {
  const { data: channels } = useRead('/api/o/{org}/channel-health/', { path: { org }, query: { limit: 1000 } });
  const { data: dispatchers } = useRead('/api/dispatchers/', {});
  const isRoom = (type: string) => dispatchers?.some((one) => one.type === type && one.room) ?? false;
  return (channels ?? [])
    .filter(({ type }) => type !== 'log' && isRoom(type))
    .map(({ project, channel }) => (project === null ? channel : `${project}/${channel}`));
}
