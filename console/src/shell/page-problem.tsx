import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '../components/problem';

/** A page that broke says so, and the rest of the console goes on. */
export function PageProblem({ error, reset }: ErrorComponentProps) {
  return <Problem error={error as Error} again={reset} />;
}
