import { Outlet } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { session } from '../api/session';
import { Problem } from '../part/problem';
import { SignIn } from './sign-in';

/** Everything waits for the question who is signed in. */
export function Root() {
  const { data, error, refetch } = useQuery(session);
  if (data === null) return <SignIn />;
  if (data) return <Outlet />;
  return (
    <main className="sign-in">
      {error ? <Problem error={error} again={() => void refetch()} /> : <span className="skeleton" />}
    </main>
  );
}
