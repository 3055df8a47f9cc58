import { ProblemError } from '@carillon/client';

/** What the service says about a field and the parts below it, such as `audience.all[0].is`. */
export function errorsOf(error: Error | null | undefined, name: string): string[] {
  if (!(error instanceof ProblemError)) return [];
  const isOf = (field: string) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
  return Object.entries(error.errors).flatMap(([field, messages]) => (isOf(field) ? messages : []));
}

/** The same for a field of several inputs, below them. */
export function FieldErrors({ error, name }: { error: Error | null; name: string }) {
  const messages = errorsOf(error, name);
  if (messages.length === 0) return null;
  return (
    <div className="field" data-invalid>
      <span className="error" role="alert">
        {messages.join(' ')}
      </span>
    </div>
  );
}
