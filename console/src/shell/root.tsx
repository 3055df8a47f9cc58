import { Outlet } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { session } from '../api/session';
import { Problem } from '../components/problem';
import { SignIn } from './sign-in';

/** Everything waits for the question who is signed in. A session that ends hides the page but keeps it: what was typed is there after signing in. */
export function Root() {
  const { data, error, refetch } = useQuery(session);
  const [wasSignedIn, setWasSignedIn] = useState(false);
  useEffect(() => {
    if (data) setWasSignedIn(true);
  }, [data]);
  if (data === undefined)
    return (
      <main className="sign-in">
        {error ? <Problem error={error} again={() => void refetch()} /> : <span className="skeleton" />}
      </main>
    );
  return (
    <>
      {data === null && <SignIn hasEnded={wasSignedIn} />}
      {(data || wasSignedIn) && (
        <div hidden={data === null}>
          <Outlet />
        </div>
      )}
    </>
  );
}
