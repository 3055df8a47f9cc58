import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Field } from '../../form/field';
import { PersonInput } from '../../form/person-input';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import type { OwnedChannel } from '../channel/use-channels';
import type { EventPlace } from '../event/place';
import { useTakesRecipients } from '../event/use-takes-recipients';
import type { RuleTemplate } from './parts';
import { BecameOf } from './became-of';
import { previewBody } from './preview/use-preview';

interface Props {
  place: EventPlace;
  isDirty: boolean;
  /** It was never published. */
  isNew: boolean;
  /** Why a trigger with these data would send the edits to nobody; null: it would send them. */
  withheld: string | null;
  context: Record<string, unknown>;
  /** As the preview shows it: its language, and the occurrence whose data and files it has. */
  language: string | null;
  occurrence: string | undefined;
  /** The template that is edited, and its channel. */
  template: RuleTemplate | undefined;
  channel: OwnedChannel | undefined;
  me: string;
  remember: (me: string) => void;
}

const EVENT = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/';

/**
 * A trigger that reaches one user. It sends what is published, so edits go as a test message: the one that the preview shows. A room is nobody's own, so
 * nothing is sent there.
 */
export function SendToMe(props: Props) {
  const { place, isDirty, isNew, withheld, context, language, occurrence, template, channel, me, remember } = props;
  const can = useCan();
  const [typed, setTyped] = useState(me);
  const { org, prj } = place;
  const dispatchers = useRead('/api/dispatchers/', {}).data;
  const kind = dispatchers?.find(({ type }) => type === channel?.type)?.address_kind ?? null;
  const canSendEdits =
    isDirty &&
    kind !== null &&
    template &&
    channel &&
    template.per === 'person' &&
    can('notification:write') &&
    can('user:read');
  const takesRecipients = useTakesRecipients(place);
  const onlyTo = (username: string) => ({
    ...(takesRecipients && { recipients: [username] }),
    limit_to: [username],
  });
  const trigger = useMutation({
    mutationFn: (username: string) =>
      carillon.post(`${EVENT}trigger/`, { path: { ...place }, body: { context, options: onlyTo(username) } }),
  });
  const edits = useMutation({
    mutationFn: (username: string) =>
      carillon.post(`${EVENT}preview/test/`, {
        path: { ...place },
        body: previewBody(template!, context, username, language, occurrence),
      }),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const username = typed.trim();
    remember(username);
    if (canSendEdits) edits.mutate(username);
    else trigger.mutate(username);
  }
  return (
    <form className="form" onSubmit={submit}>
      <Field label={text.rule.send.who} hint={text.rule.send.whoHint}>
        <PersonInput org={org} value={typed} onType={setTyped} required autoFocus={me === ''} />
      </Field>
      <p className="soft">
        {canSendEdits
          ? text.rule.send.edits
          : isNew
            ? text.rule.send.notNew
            : isDirty
              ? text.rule.send.notEdits(prj)
              : text.rule.send.published}
      </p>
      {canSendEdits && withheld !== null && <p className="note warn">{text.rule.send.withheld(withheld)}</p>}
      <div className="row">
        <button
          className="button primary"
          disabled={(isNew && !canSendEdits) || trigger.isPending || edits.isPending}
          autoFocus={me !== ''}
        >
          {canSendEdits ? text.rule.send.editsAction : isDirty ? text.rule.send.publishedAction : text.rule.send.action}
        </button>
      </div>
      <div role="status">
        {trigger.data && (
          <p className="note">
            {text.rule.send.done}{' '}
            <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: trigger.data.occurrence }}>
              {text.rule.send.occurrence}
            </Link>
          </p>
        )}
        {trigger.data && can('occurrence:read') && can('user:read') && (
          <BecameOf org={org} occurrence={trigger.data.occurrence} user={trigger.variables} />
        )}
        {edits.data && (
          <p className={edits.data.outcome === 'sent' ? 'note good' : 'note bad'}>
            {text.channel.test.verdict[edits.data.outcome]} {edits.data.answer}
          </p>
        )}
      </div>
      {(trigger.error ?? edits.error) && <Problem error={(trigger.error ?? edits.error)!} />}
    </form>
  );
}
