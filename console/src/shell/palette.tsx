import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { text } from '../text/text';
import { useFindings } from './use-findings';

interface Props {
  org: string;
  isOpen: boolean;
  close: () => void;
}

/** Ctrl-K: finds pages, users, events and occurrences. Arrows choose, Enter goes there. */
export function Palette({ org, isOpen, close }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" aria-label={text.palette.title}>
          <Search org={org} close={close} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ org, close }: { org: string; close: () => void }) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const { findings, isSearching } = useFindings(org, words);
  const navigate = useNavigate();
  const chosen = findings[Math.min(at, findings.length - 1)];
  function go(finding: (typeof findings)[number] | undefined) {
    if (!finding) return;
    close();
    void navigate(finding.target);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === 0) return go(chosen);
    setAt(Math.max(0, Math.min(findings.length - 1, at + step)));
  }
  return (
    <>
      <input
        className="input"
        placeholder={text.palette.placeholder}
        aria-label={text.palette.title}
        role="combobox"
        aria-expanded="true"
        aria-controls="findings"
        aria-activedescendant={chosen && `finding-${chosen.id}`}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        autoFocus
      />
      <div className="results" id="findings" role="listbox" aria-label={text.palette.findings}>
        {findings.map((finding) => (
          <div
            key={finding.id}
            id={`finding-${finding.id}`}
            role="option"
            aria-selected={finding === chosen}
            className="menu-item"
            data-highlighted={finding === chosen || undefined}
            onClick={() => go(finding)}
            onMouseMove={() => setAt(findings.indexOf(finding))}
          >
            <span className="badge">{finding.kind}</span>
            <span>{finding.label}</span>
            <span className="soft">{finding.hint}</span>
          </div>
        ))}
        {findings.length === 0 && (
          <div className="menu-item soft" role="option" aria-selected="false" aria-disabled="true">
            {isSearching ? text.palette.searching : text.palette.nothing}
          </div>
        )}
      </div>
    </>
  );
}
