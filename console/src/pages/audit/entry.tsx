import type { AuditEntry } from '@carillon/client';
import { useState } from 'react';
import { useCan } from '../../api/session';
import { text } from '../../text/text';
import { Changes } from './changes';
import { NamedThing } from './named-thing';
import { PEOPLE } from './nouns';

/** One change as a sentence; on demand, what each field was and is. */
export function Entry({ org, entry }: { org: string; entry: AuditEntry }) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const { actor, verb, noun, name, count, changes } = entry;
  const isHidden = PEOPLE.has(noun) && !can('user:read');
  return (
    <div className="audit-entry">
      <span>
        <strong>{actor}</strong> {text.audit.verbs[verb as keyof typeof text.audit.verbs] ?? verb}{' '}
        {name === null || count > 1 ? text.audit.many(count, noun) : text.audit.one(noun)}{' '}
        {name !== null && !isHidden && <NamedThing org={org} entry={entry} name={name} />}
      </span>
      {changes && !isHidden && (
        <button className="link soft" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? text.audit.hide : text.audit.show(Object.keys(changes).length)}
        </button>
      )}
      {changes && isOpen && !isHidden && <Changes changes={changes} requestId={entry.request_id} />}
    </div>
  );
}
