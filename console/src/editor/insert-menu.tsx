import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import { text } from '../text/text';

export interface Insertion {
  label: string;
  /** A sample value, or what it looks like. */
  detail: string;
  snippet: string;
  group: string;
}

interface Props {
  label: string;
  hint: string;
  insertions: readonly Insertion[];
  onInsert: (snippet: string) => void;
  /** What may be inserted although nobody has used it yet. */
  freshOf?: (typed: string) => Insertion | null;
}

/** With more than these, there is a field to search them. */
const MANY = 8;

/** A button that opens a list of things to insert into an editor. */
export function InsertMenu({ label, hint, insertions, onInsert, freshOf }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const shown = insertions.filter(({ label, detail }) => `${label} ${detail}`.toLowerCase().includes(wanted));
  const fresh = shown.some(({ label }) => label === typed.trim()) ? null : freshOf?.(typed.trim());
  const all = fresh ? [...shown, fresh] : shown;
  const groups = [...new Set(all.map(({ group }) => group))];
  function change(next: boolean) {
    setOpen(next);
    setTyped('');
  }
  function insert(snippet: string) {
    change(false);
    // After the popup has given the focus back.
    requestAnimationFrame(() => onInsert(snippet));
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={change}>
      <Popover.Trigger className="button small">{label}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="insert-place" side="bottom" align="start" sideOffset={6}>
          <Popover.Popup className="insert-menu">
            <Popover.Title render={<h2 />} className="insert-title">
              {label}
            </Popover.Title>
            <Popover.Description className="hint">{hint}</Popover.Description>
            {(insertions.length > MANY || freshOf) && (
              <input
                className="input"
                value={typed}
                placeholder={text.editor.search}
                aria-label={text.editor.search}
                onChange={(change) => setTyped(change.target.value)}
                onKeyDown={(press) => press.key === 'Enter' && all[0] && insert(all[0].snippet)}
              />
            )}
            <div className="insert-list">
              {groups.map((group) => (
                <section key={group} aria-label={group}>
                  <h3 className="insert-group">{group}</h3>
                  {all.map(
                    (one) =>
                      one.group === group && (
                        <button
                          key={one.label}
                          type="button"
                          className="insert-choice"
                          onClick={() => insert(one.snippet)}
                        >
                          <span className="insert-label">{one.label}</span>
                          <span className="soft insert-sample">{one.detail}</span>
                        </button>
                      ),
                  )}
                </section>
              ))}
              {all.length === 0 && <p className="soft">{text.editor.nothing}</p>}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
