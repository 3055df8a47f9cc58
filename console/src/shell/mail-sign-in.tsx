import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { carillon } from '../api/carillon';
import { Problem } from '../components/problem';
import { text } from '../text/text';

/** Members sign in with a link that is mailed to them. The service says the same for every address. */
export function MailSignIn() {
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => carillon.post('/api/session/link/', { body: { email: email.trim() } }) });
  function submit(event: FormEvent) {
    event.preventDefault();
    ask.mutate();
  }
  if (ask.data)
    return (
      <p className="note" role="status">
        {text.signIn.mailed(email.trim(), ask.data.minutes)}{' '}
        <button className="button small" onClick={ask.reset}>
          {text.signIn.otherAddress}
        </button>
      </p>
    );
  return (
    <form className="form" onSubmit={submit}>
      {ask.error && <Problem error={ask.error} />}
      <div className="field">
        <label htmlFor="email">{text.signIn.email}</label>
        <input
          id="email"
          className="input"
          type="email"
          autoComplete="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          required
        />
      </div>
      <button className="button primary" disabled={ask.isPending}>
        {ask.isPending ? text.signIn.mailing : text.signIn.mail}
      </button>
    </form>
  );
}
