import type { PutStatusWebhook, StatusWebhook } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../../api/authors';
import { carillon } from '../../../api/carillon';
import { seenOf, useEdit } from '../../../api/edit';
import { Field } from '../../../form/field';
import { FieldErrors } from '../../../form/field-errors';
import { FormDialog } from '../../../form/form-dialog';
import { text } from '../../../text/text';
import { newSigningSecret } from './new-signing-secret';
import type { Place } from './place';
import { RemoveWebhook } from './remove-webhook';
import { ShownOnce } from './shown-once';

const WEBHOOK = '/api/o/{org}/p/{prj}/a/{app}/status-webhook/';
const MASK = '********';
const words = text.settings.projects.webhook;

type Outcome = StatusWebhook['outcomes'][number];
const OUTCOMES = Object.keys(words.outcomes) as Outcome[];
const ATTEMPTS: Outcome[] = ['sent', 'failed', 'dead'];

interface Props {
  place: Required<Place>;
  /** Of the application. */
  name: string;
  /** Null: there is none yet. */
  stored: StatusWebhook | null;
  mayWrite: boolean;
  onClose: () => void;
}

/** Where the outcomes of an application's messages are sent. A new secret is made here, and shown once. */
export function StatusWebhookDialog({ place, name, stored, mayWrite, onClose }: Props) {
  const [url, setUrl] = useState(stored?.url ?? '');
  const [outcomes, setOutcomes] = useState<Outcome[]>(stored?.outcomes ?? ATTEMPTS);
  const [enabled, setEnabled] = useState(stored?.enabled ?? true);
  const [isRenewed, setRenewed] = useState(stored === null);
  // Made once, so that trying again sends the same.
  const [made] = useState(newSigningSecret);
  const [isRemoving, setRemoving] = useState(false);
  const [seen] = useState(() => (stored ? seenOf(stored) : null));
  const path = { ...place };
  const authors = useAuthors(place.org, 'status webhook', `${place.prj}/${place.app}`);
  const save = useEdit<StatusWebhook, StatusWebhook, PutStatusWebhook>({
    seen: () => seen ?? { thing: { url: '', secret: '', outcomes: [], enabled }, etag: undefined },
    read: () => carillon.get(WEBHOOK, { path }),
    write: (body, headers) => carillon.put(WEBHOOK, { path, headers: stored ? headers : {}, body }),
    authors,
    reads: [WEBHOOK],
    onDone: () => !isRenewed && onClose(),
    onReload: onClose,
  });
  const submit = () => save.mutate({ url: url.trim(), secret: isRenewed ? made : MASK, outcomes, enabled });
  if (save.isSuccess && isRenewed)
    return <ShownOnce title={words.made} hint={words.once} secret={made} onClose={onClose} />;
  if (isRemoving && stored)
    return <RemoveWebhook {...{ place, name, stored, authors }} onBack={() => setRemoving(false)} onClose={onClose} />;
  return (
    <FormDialog
      title={words.title(name)}
      action={text.confirm.save}
      onClose={onClose}
      onSubmit={submit}
      isPending={save.isPending || !mayWrite}
      error={save.error}
    >
      <p className="soft">{words.hint}</p>
      <Field label={words.url} hint={words.urlHint} error={save.error} name="url">
        <input
          className="input"
          type="url"
          placeholder="https://shop.example.com/deliveries"
          value={url}
          required
          autoFocus
          disabled={!mayWrite}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <fieldset className="choices" disabled={!mayWrite}>
        <legend className="label">{words.which}</legend>
        <div className="settings-outcomes">
          {OUTCOMES.map((outcome) => (
            <label key={outcome} className="check">
              <input
                type="checkbox"
                checked={outcomes.includes(outcome)}
                onChange={() => setOutcomes(OUTCOMES.filter((one) => outcomes.includes(one) !== (one === outcome)))}
              />
              <span>{words.outcomes[outcome]}</span>
            </label>
          ))}
        </div>
        <FieldErrors error={save.error} name="outcomes" />
      </fieldset>
      <label className="check">
        <input
          type="checkbox"
          checked={enabled}
          disabled={!mayWrite}
          onChange={(event) => setEnabled(event.target.checked)}
        />
        <span>{words.enabled}</span>
      </label>
      {stored && (
        <label className="check">
          <input
            type="checkbox"
            checked={isRenewed}
            disabled={!mayWrite}
            onChange={(event) => setRenewed(event.target.checked)}
          />
          <span>{words.renew}</span>
        </label>
      )}
      <FieldErrors error={save.error} name="secret" />
      {stored && mayWrite && (
        <div className="row">
          <button type="button" className="button small danger" onClick={() => setRemoving(true)}>
            {words.remove}
          </button>
        </div>
      )}
    </FormDialog>
  );
}
