import { useState } from 'react';
import { text } from '../../text/text';

const FEW = 3;

/** The permissions of a key; many of them on demand. */
export function Permissions({ permissions }: { permissions: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? permissions : permissions.slice(0, FEW);
  return (
    <span className="permissions">
      {shown.map((permission) => (
        <code key={permission}>{permission}</code>
      ))}
      {permissions.length > FEW && (
        <button className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? text.key.fewer : text.key.more(permissions.length - FEW)}
        </button>
      )}
    </span>
  );
}
