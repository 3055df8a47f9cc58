import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** What the page is for, in a sentence. */
  children?: ReactNode;
  /** The button to the next step. */
  action?: ReactNode;
}

/** An empty page says what it is for, and shows the next step. */
export function Empty({ title, children, action }: Props) {
  return (
    <div className="empty card">
      <h2>{title}</h2>
      {children && <p className="soft">{children}</p>}
      {action}
    </div>
  );
}
