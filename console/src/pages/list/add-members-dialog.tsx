import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { ChosenUsers } from '../../form/chosen-users';
import { Dialog } from '../../form/dialog';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { PersonInput } from '../../form/person-input';
import { text } from '../../text/text';
import { addressesIn } from './pasted';

interface Props {
  path: { org: string; prj: string; pk: number };
  onClose: () => void;
}

export function AddMembersDialog({ path, onClose }: Props) {
  const mayFind = useCan()('user:read');
  const [chosen, setChosen] = useState<string[]>([]);
  const [words, setWords] = useState('');
  const [typed, setTyped] = useState('');
  // A whole e-mail in the search counts without being chosen.
  const named = addressesIn(words).filter((word) => word.includes('@'));
  const recipients = [...new Set([...chosen, ...named, ...addressesIn(typed)])];
  const add = useWrite(
    () => carillon.post('/api/o/{org}/p/{prj}/d/{pk}/add/', { path, body: recipients }),
    '/api/o/{org}/p/{prj}/d/{pk}/m/',
    '/api/o/{org}/u/',
  );
  if (add.data)
    return (
      <Dialog title={text.list.added} open onClose={onClose}>
        <p>{text.list.addedResult(add.data)}</p>
        <div className="actions">
          <button className="button primary" onClick={onClose} autoFocus>
            {text.confirm.close}
          </button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={text.list.add}
      action={text.list.addCount(recipients.length)}
      onClose={onClose}
      onSubmit={() => add.mutate(undefined)}
      isPending={add.isPending}
      error={add.error}
      nameOf={(field) => recipients[Number(/^\[(\d+)\]/.exec(field)?.[1])] ?? field}
    >
      {mayFind && (
        <>
          <Field label={text.list.user} hint={text.list.userHint}>
            <PersonInput
              org={path.org}
              value={words}
              onType={setWords}
              onPick={(username) => {
                setChosen([...new Set([...chosen, username])]);
                setWords('');
              }}
              autoFocus
            />
          </Field>
          <ChosenUsers users={chosen} onRemove={(username) => setChosen(chosen.filter((one) => one !== username))} />
        </>
      )}
      <Field label={text.list.emails} hint={text.list.emailsHint}>
        <textarea
          className="input"
          rows={6}
          required={recipients.length === 0}
          autoFocus={!mayFind}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
