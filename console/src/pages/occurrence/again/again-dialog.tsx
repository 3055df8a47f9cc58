import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { useList } from '../../../api/read';
import { useCan } from '../../../api/session';
import { useWrite } from '../../../api/write';
import { Dialog } from '../../../form/dialog';
import { Field } from '../../../form/field';
import { FormDialog } from '../../../form/form-dialog';
import { PersonInput } from '../../../form/person-input';
import { text } from '../../../text/text';
import { BecameOf } from '../../rule/became-of';
import './again.css';

const REPLAY = '/api/o/{org}/occurrences/{occurrence}/replay/';
const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';

/** The occurrence whose messages are sent again, and its event. */
export interface AgainPlace {
  occurrence: string;
  project: string;
  application: string;
  event: string;
}

interface Props {
  org: string;
  place: AgainPlace;
  /** Left out: it is chosen in the dialog. */
  username?: string;
  /** The notification that is offered first; left out: all. */
  notification?: string;
  onClose: () => void;
}

/** Triggers an occurrence again for one user, with all notifications or one. */
export function AgainDialog({ org, place, username, notification = '', onClose }: Props) {
  const [user, setUser] = useState(username ?? '');
  const [chosen, setChosen] = useState(notification);
  const names = useNotifications(org, place);
  // One that was deleted meanwhile cannot be sent again.
  const name = names.includes(chosen) ? chosen : '';
  const again = useWrite(
    () => {
      const body = { limit_to: [user.trim()], ...(name && { notifications: [name] }) };
      return carillon.post(REPLAY, { path: { org, occurrence: place.occurrence }, body });
    },
    '/api/o/{org}/occurrences/',
    '/api/o/{org}/u/{username}/deliveries/',
  );
  if (again.data) return <Done org={org} occurrence={again.data.occurrence} user={user.trim()} onClose={onClose} />;
  return (
    <FormDialog
      title={text.again.title}
      action={text.again.action}
      onClose={onClose}
      onSubmit={() => again.mutate(undefined)}
      isPending={again.isPending}
      error={again.error}
    >
      <Field label={text.again.user} error={again.error} name="limit_to">
        {username ? (
          <input className="input" value={user} readOnly />
        ) : (
          <PersonInput org={org} value={user} onType={setUser} required autoFocus />
        )}
      </Field>
      <Field label={text.again.notification} error={again.error} name="notifications">
        <select className="input" value={name} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{text.again.all}</option>
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      <ul className="again-notes">
        {text.again.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </FormDialog>
  );
}

function useNotifications(org: string, { project, application, event }: AgainPlace): string[] {
  const isAllowed = useCan()('event:list');
  const path = { org, prj: project, app: application, evt: event };
  const { items = [] } = useList(RULES, { path, query: { limit: 1000 } }, { enabled: isAllowed });
  return items.map(({ name }) => name);
}

interface DoneProps {
  org: string;
  occurrence: string;
  user: string;
  onClose: () => void;
}

function Done({ org, occurrence, user, onClose }: DoneProps) {
  return (
    <Dialog title={text.again.done} open onClose={onClose}>
      <BecameOf org={org} occurrence={occurrence} user={user} outcomes={text.again.outcomes} />
      <p>
        <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence }} search={{ user }} onClick={onClose}>
          {text.again.open}
        </Link>
      </p>
      <div className="actions">
        <button className="button primary" onClick={onClose}>
          {text.again.close}
        </button>
      </div>
    </Dialog>
  );
}
