import type { OrganizationSettings } from '@carillon/client';
import { useRef, useState } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { useProjectNames } from '../../api/names';
import { useRead } from '../../api/read';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { ChosenUsers } from '../../form/chosen-users';
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
  const roomNames = useRooms(org);
  const rooms = [...new Set([...Object.keys(roomNames), ...channels])];
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
      <ChosenUsers users={users} onRemove={(name) => setUsers(users.filter((one) => one !== name))} />
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
              <span>{roomNames[room] ?? room}</span>
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

/** The names of the channels that are one room or one URL for everyone, by their path. A log reaches nobody. */
function useRooms(org: string): Record<string, string> {
  const { data: channels } = useRead('/api/o/{org}/channel-health/', { path: { org }, query: { limit: 1000 } });
  const { data: dispatchers } = useRead('/api/dispatchers/', {});
  const isRoom = (type: string) => dispatchers?.some((one) => one.type === type && one.room) ?? false;
  const nameOf = useProjectNames(org);
  const rooms = (channels ?? []).filter(({ type }) => type !== 'log' && isRoom(type));
  return Object.fromEntries(
    rooms.map(({ project, channel, name }) =>
      project === null ? [channel, name] : [`${project}/${channel}`, `${nameOf(project)} / ${name}`],
    ),
  );
}
