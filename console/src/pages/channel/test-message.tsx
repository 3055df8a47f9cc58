import type { Dispatcher } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { CopyCurl } from '../../components/curl';
import { Field } from '../../form/field';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { pathOf, sendTest } from './calls';
import type { ChannelPlace } from './place';

/** Sends one message, and shows the whole answer of the provider. */
export function TestMessage({
  place: { org, prj, slug },
  dispatcher,
}: {
  place: ChannelPlace;
  dispatcher: Dispatcher;
}) {
  const [to, setTo] = useState('');
  const body = { ...(to && { to }) };
  const test = useMutation({ mutationFn: () => sendTest(org, prj, slug, body) });
  // Of some types the settings decide whether an address is needed; the service says so then.
  const asksTo = dispatcher.address_kind !== null || !dispatcher.room || dispatcher.type === 'slack';
  function submit(event: FormEvent) {
    event.preventDefault();
    test.mutate();
  }
  return (
    <form className="card form" onSubmit={submit} aria-label={text.channel.test.title}>
      <h2>{text.channel.test.title}</h2>
      <p className="soft">{text.channel.test.hint}</p>
      {asksTo && (
        <Field
          label={text.channel.test.to(dispatcher.address_kind)}
          error={test.error}
          name="to"
          hint={dispatcher.address_kind === null ? text.channel.test.toHint : undefined}
        >
          <input
            className="input"
            value={to}
            onChange={(change) => setTo(change.target.value)}
            required={dispatcher.address_kind !== null}
            spellCheck={false}
          />
        </Field>
      )}
      <div className="row">
        <button className="button" disabled={test.isPending}>
          {test.isPending ? text.channel.test.pending : text.channel.test.send}
        </button>
        <CopyCurl call={{ method: 'POST', path: `${pathOf(org, prj, slug)}test/`, body }} />
      </div>
      <div role="status">
        {test.data && (
          <div className={test.data.outcome === 'sent' ? 'note good' : 'note bad'}>
            <strong>{text.channel.test.verdict[test.data.outcome]}</strong>
            <pre className="test-answer" tabIndex={0}>
              {test.data.answer || text.channel.test.silent}
            </pre>
            <span className="soft">{text.channel.test.took(test.data.duration_ms)}</span>
          </div>
        )}
      </div>
      {test.error && <Problem error={test.error} />}
    </form>
  );
}
