import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { MomentInput } from '../../form/moment-input';
import { text } from '../../text/text';

export function SuppressionDialog({ org, onClose }: { org: string; onClose: () => void }) {
  const [name, setName] = useState('email');
  const [value, setValue] = useState('');
  const [project, setProject] = useState('');
  const [note, setNote] = useState('');
  const [expires_at, setExpires] = useState<string | undefined>();
  const add = useWrite(() => {
    const scope = { project: project.trim() || undefined };
    const body = { name: name.trim(), value: value.trim(), ...scope, note: note.trim() || undefined, expires_at };
    return carillon.post('/api/o/{org}/suppressions/', { path: { org }, body });
  }, '/api/o/{org}/suppressions/');
  return (
    <FormDialog
      title={text.suppression.add}
      action={text.suppression.add}
      onClose={onClose}
      onSubmit={() => add.mutate(undefined, { onSuccess: onClose })}
      isPending={add.isPending}
      error={add.error}
    >
      <Field label={text.suppression.address} error={add.error} name="value">
        <input className="input" required autoFocus value={value} onChange={(event) => setValue(event.target.value)} />
      </Field>
      <Field label={text.suppression.kind} hint={text.suppression.kindHint} error={add.error} name="name">
        <input className="input" required value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={text.suppression.project} hint={text.suppression.projectHint} error={add.error} name="project">
        <input className="input" value={project} onChange={(event) => setProject(event.target.value)} />
      </Field>
      <Field label={text.suppression.note} hint={text.suppression.noteHint} error={add.error} name="note">
        <input className="input" value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <Field label={text.suppression.ends} hint={text.suppression.endsHint} error={add.error} name="expires_at">
        <MomentInput value={expires_at} onChange={setExpires} />
      </Field>
    </FormDialog>
  );
}
