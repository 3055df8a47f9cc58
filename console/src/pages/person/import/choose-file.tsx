import { useId, useState } from 'react';
import type { DragEvent } from 'react';
import { text } from '../../../text/text';
import { decode } from './file/decode';
import { MAX_MB } from './file/limits';

interface Props<Source extends object> {
  words: {
    /** What the file holds, and how much. */
    hint: string;
    lines: string;
    example: string;
  };
  read: (name: string, content: string) => Promise<Source | { problem: string }>;
  onChoose: (source: Source | null) => void;
}

/** Chooses a file, drops one, or pastes its lines. */
export function ChooseFile<Source extends object>({ words, read: readSource, onChoose }: Props<Source>) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  async function read(name: string, given: () => Promise<string>) {
    const result = await given()
      .then((content) => readSource(name, content))
      .catch((error: Error) => ({ problem: error.message }));
    setProblem('problem' in result ? result.problem : null);
    onChoose('problem' in result ? null : result);
  }
  function choose(file: File | undefined) {
    if (!file) return;
    setPasted('');
    if (file.size > MAX_MB * 1024 * 1024) {
      setProblem(text.import.tooLarge(file.name, Math.ceil(file.size / 1024 / 1024), MAX_MB));
      onChoose(null);
    } else void read(file.name, async () => decode(new Uint8Array(await file.arrayBuffer())));
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  }
  return (
    <section className="card stack">
      <h2>{text.import.file}</h2>
      <div
        className={isOver ? 'import-drop over' : 'import-drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <div className="field">
          <label htmlFor={id}>{text.import.choose}</label>
          <input
            id={id}
            className="input"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            aria-describedby={`${id}-hint`}
            aria-invalid={problem !== null || undefined}
            onChange={({ target }) => {
              choose(target.files?.[0]);
              // The same file can be chosen again after it was corrected.
              target.value = '';
            }}
          />
          <span className="hint" id={`${id}-hint`}>
            {words.hint}
          </span>
        </div>
      </div>
      <details>
        <summary>{text.import.paste}</summary>
        <form
          className="form import-paste"
          onSubmit={(event) => {
            event.preventDefault();
            void read(text.import.pasted, () => Promise.resolve(pasted));
          }}
        >
          <textarea
            className="input"
            rows={6}
            required
            aria-label={words.lines}
            placeholder={words.example}
            spellCheck={false}
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
          />
          <div className="row">
            <button className="button">{text.import.read}</button>
          </div>
        </form>
      </details>
      {problem && (
        <p className="note bad" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
