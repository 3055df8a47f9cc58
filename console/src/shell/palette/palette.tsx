import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Icon } from '../../components/icon';
import { text } from '../../text/text';
import { matching } from './finding';
import type { Finding } from './finding';
import type { Opened } from './opened';
import { useActions } from './use-actions';
import { useFound } from './use-found';
import { useObjects } from './use-objects';

interface Props {
  org: string;
  /** What was typed before this file was there. */
  earlyWords: string;
  close: () => void;
  open: (opened: Opened) => void;
}

/** Ctrl-K: finds whatever has a name, pages, and what one can do. Arrows choose, Enter goes there. */
export function Palette(props: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && props.close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" aria-label={text.palette.title}>
          <Search {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useFindings(org: string, typed: string, open: Props['open']) {
  const words = typed.trim();
  const actions = useActions(org, true, open);
  const { objects, isReading } = useObjects(org, words !== '');
  const { found, isSearching } = useFound(org, words);
  // Without words: the pages and the actions, in their order.
  const all = words === '' ? actions : [...found, ...objects, ...actions];
  return { findings: matching(all, words), isSearching: words !== '' && (isReading || isSearching) };
}

function Search({ org, earlyWords, close, open }: Props) {
  const [words, setWords] = useState(earlyWords);
  // By its id: what is found later must not move the choice to something else.
  const [chosenId, setChosen] = useState<string | null>(null);
  const { findings, isSearching } = useFindings(org, words, open);
  const navigate = useNavigate();
  const at = Math.max(
    0,
    findings.findIndex(({ id }) => id === chosenId),
  );
  const chosen = findings[at];
  useEffect(() => {
    document.querySelector('.palette [aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  function go(finding: Finding | undefined) {
    if (!finding) return;
    close();
    if (typeof finding.does === 'function') finding.does();
    else void navigate(finding.does);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === 0) return go(chosen);
    const next = findings[(at + step + findings.length) % findings.length];
    if (next) setChosen(next.id);
  }
  return (
    <>
      <input
        className="input"
        placeholder={text.palette.placeholder}
        aria-label={text.palette.title}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls="findings"
        aria-activedescendant={chosen && `finding-${at}`}
        value={words}
        spellCheck={false}
        onChange={(event) => {
          setWords(event.target.value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(words.length, words.length)}
        autoFocus
      />
      <div className="results" id="findings" role="listbox" aria-label={text.palette.findings}>
        {findings.map((finding, i) => (
          <div
            key={finding.id}
            id={`finding-${i}`}
            role="option"
            aria-selected={finding === chosen}
            className="menu-item finding"
            data-highlighted={finding === chosen || undefined}
            onClick={() => go(finding)}
            onMouseMove={() => setChosen(finding.id)}
          >
            <Icon name={finding.icon} />
            <span className="finding-label">{finding.label}</span>
            <span className="finding-hint soft">{finding.hint}</span>
            <span className="badge">{text.palette.kinds[finding.kind]}</span>
          </div>
        ))}
        {findings.length === 0 && (
          <div className="menu-item soft" role="option" aria-selected="false" aria-disabled="true">
            {isSearching ? text.palette.searching : text.palette.nothing}
          </div>
        )}
      </div>
      <p className="hidden" role="status">
        {isSearching ? text.palette.searching : text.palette.count(findings.length)}
      </p>
    </>
  );
}
