import { useId, useState } from 'react';
import type { DragEvent } from 'react';
import { text } from '../../../text/text';
import { decode } from './file/decode';
import { MAX_LINES, MAX_MB } from './file/limits';
import type { UserTable } from './file/read-table';

/** A file, or what was pasted, as a text that was read as CSV. */
export interface Source {
  name: string;
  text: string;
  table: UserTable;
}

interface Props {
  onChoose: (source: Source | null) => void;
}

/** Chooses a file of users, drops one, or pastes its lines. */
export function ChooseFile({ onChoose }: Props) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  async function read(name: string, given: () => Promise<string>) {
    const result = await readSource(name, given);
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
            {text.import.fileHint(MAX_MB, MAX_LINES)}
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
            aria-label={text.import.lines}
            placeholder={'email,first_name\nann@example.com,Ann'}
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

async function readSource(name: string, given: () => Promise<string>): Promise<Source | { problem: string }> {
  try {
    // The parser is loaded when it is needed.
    const [{ readTable }, content] = await Promise.all([import('./file/read-table'), given()]);
    return sourceOf(name, content, readTable(content));
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function sourceOf(name: string, content: string, table: UserTable | { problem: string }): Source | { problem: string } {
  if ('problem' in table) return { problem: text.import.notCsv(table.problem) };
  if (table.rows.length === 0) return { problem: text.import.empty };
  if (table.rows.length > MAX_LINES) return { problem: text.import.tooMany(table.rows.length, MAX_LINES) };
  return { name, text: content, table };
}
