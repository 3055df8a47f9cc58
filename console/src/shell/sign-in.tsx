import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import { useRead } from '../api/read';
import { serviceUrl } from '../api/place';
import { useSignIn } from '../api/session';
import bell from '../bell.svg';
import { Problem } from '../components/problem';
import { text } from '../text/text';
import { MailSignIn } from './mail-sign-in';

/** The one-time link has its token behind `#t=`, which no server and no log sees. It leaves the address at once. */
function takeToken(): string | null {
  const [, token] = /^#t=(.+)$/.exec(location.hash) ?? [];
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  return token ?? null;
}

let link = takeToken();

export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const [key, setKey] = useState('');
  const signIn = useSignIn();
  const { data: providers } = useRead('/api/session/providers/', {});
  const { data: mail } = useRead('/api/session/link/', {});
  useEffect(() => {
    const follow = () => {
      link ??= takeToken();
      if (link) signIn.mutate({ link });
      link = null; // it works once
    };
    follow();
    // A link that is pasted into this tab changes only what follows the #.
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `signIn` is another object each time
  }, []);
  function submit(event: FormEvent) {
    event.preventDefault();
    signIn.mutate({ key: key.trim() });
  }
  const withKey = (
    <form className="form" onSubmit={submit}>
      <div className="field">
        <label htmlFor="key">{text.signIn.key}</label>
        <input
          id="key"
          className="input mono"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          aria-describedby="key-hint"
          required
        />
        <span className="hint" id="key-hint">
          {text.signIn.hint} <code>npx carillon console</code>
        </span>
      </div>
      <button className="button primary" disabled={signIn.isPending}>
        {signIn.isPending ? text.signIn.pending : text.signIn.submit}
      </button>
    </form>
  );
  const others = providers?.map(({ name, url }) => (
    <a key={url} className="button" href={serviceUrl + url}>
      {text.signIn.with(name)}
    </a>
  ));
  return (
    <main className="sign-in">
      <span className="brand">
        <img src={bell} alt="" />
        Carillon
      </span>
      <h1>{text.signIn.title}</h1>
      {hasEnded && <p className="note warn">{text.signIn.ended}</p>}
      {signIn.error && <Problem error={signIn.error} />}
      {mail?.mailed ? (
        <>
          <MailSignIn />
          {others}
          <details>
            <summary>{text.signIn.withKey}</summary>
            {withKey}
          </details>
        </>
      ) : (
        <>
          {withKey}
          {others}
        </>
      )}
    </main>
  );
}
