import { ProblemError } from '@carillon/client';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { cloneElement } from 'react';

interface Props {
  label: string;
  hint?: ReactNode;
  /** The error of the last call, and the field's name in it. */
  error?: Error | null;
  name?: string;
  /** What is wrong with what is typed, before any call. */
  fault?: string | null;
  children: ReactElement<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>;
}

/** A label, an input, a hint, and what the service says about this field. */
export function Field({ label, hint, error, name, fault, children }: Props) {
  const id = useId();
  const messages = fault ? [fault] : (name && error instanceof ProblemError && error.errors[name]) || [];
  const described = [hint && `${id}-hint`, messages.length > 0 && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field" data-field={name}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': messages.length > 0 || undefined,
      })}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {messages.length > 0 && (
        <span className="error" id={`${id}-error`} role="alert">
          {messages.join(' ')}
        </span>
      )}
    </div>
  );
}
