import type { TriggerOptions } from '@carillon/client';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/read';
import { useCan } from '../../../api/session';
import { readJson } from '../../../editor/json';
import { Field } from '../../../form/field';
import { UsersField, useUsers } from '../../../form/users-field';
import { text } from '../../../text/text';
import { namesOf } from '../context-schema';
import { filledIn } from '../data/data';
import type { Data } from '../data/data';
import { DataField } from '../data/data-field';
import type { EventPlace } from '../place';
import { useContextOf } from '../use-last-context';
import { useTakesRecipients } from '../use-takes-recipients';

const SCHEMA = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/';

/** A trigger that is stored, such as that of a schedule. */
interface Stored {
  context: Record<string, unknown>;
  options: TriggerOptions;
}

type TriggerForm = ReturnType<typeof useTriggerForm>;

/** The context and the options of a trigger while somebody types them. Options without a field here stay as they are stored. */
export function useTriggerForm(place: EventPlace, stored?: Stored) {
  const given = useContextOf(place);
  const names = namesOf(useRead(SCHEMA, { path: { ...place } }).data);
  const takesRecipients = useTakesRecipients(place);
  const [typed, setTyped] = useState(() => (stored ? JSON.stringify(stored.context, null, 2) : null));
  const recipients = useUsers(stored?.options.recipients?.map((one) => (typeof one === 'string' ? one : one.email)));
  const limitTo = useUsers(stored?.options.limit_to);
  const [priority, setPriority] = useState<string>(stored?.options.priority ?? '');
  const source = typed ?? (given ? JSON.stringify(given, null, 2) : '');
  const { value, fault } = readJson(source);
  const { recipients: wereNamed, limit_to: _limitTo, priority: _priority, ...others } = stored?.options ?? {};
  const hasRecipients = takesRecipients || wereNamed !== undefined;
  const options: TriggerOptions = {
    ...others,
    ...(hasRecipients && recipients.names.length > 0 && { recipients: recipients.names }),
    ...(limitTo.names.length > 0 && { limit_to: limitTo.names }),
    ...(priority && { priority: priority as 'critical' | 'normal' | 'bulk' }),
  };
  return {
    ...{ org: place.org, source, setTyped, fault, recipients, limitTo, priority, setPriority },
    ...{ names, takesRecipients, hasRecipients },
    isReady: typed !== null || given !== undefined,
    body: { context: filledIn((value ?? {}) as Data), options },
  };
}

interface Props {
  form: TriggerForm;
  contextHint: string;
  error: Error | null;
  /** Stands beside the priority. */
  children?: ReactNode;
}

export function TriggerFields({ form, contextHint, error, children }: Props) {
  const { takesRecipients, hasRecipients } = form;
  const can = useCan();
  return (
    <>
      <DataField
        label={text.event.trigger.context}
        hint={contextHint}
        source={form.source}
        onChange={form.setTyped}
        names={form.names}
        error={error}
      />
      {hasRecipients && (
        <UsersField
          org={form.org}
          users={form.recipients}
          label={text.event.trigger.recipients}
          hint={text.event.trigger.recipientsHint}
          error={error}
          name="options.recipients"
          required={takesRecipients}
        />
      )}
      <UsersField
        org={form.org}
        users={form.limitTo}
        label={text.event.trigger.limitTo}
        hint={text.event.trigger.limitToHint}
        error={error}
        name="options.limit_to"
      />
      <div className="columns">
        {children}
        <Field label={text.event.trigger.priority} error={error} name="options.priority">
          <select className="input" value={form.priority} onChange={(change) => form.setPriority(change.target.value)}>
            <option value="">{text.event.trigger.priorities.none}</option>
            <option value="bulk">{text.event.trigger.priorities.bulk}</option>
            <option value="normal">{text.event.trigger.priorities.normal}</option>
            {(can('event:trigger-critical') || form.priority === 'critical') && (
              <option value="critical">{text.event.trigger.priorities.critical}</option>
            )}
          </select>
        </Field>
      </div>
    </>
  );
}
