import { text } from '../../text/text';

interface Props {
  words: string;
  setWords: (words: string) => void;
  close: () => void;
}

/** Stands for the palette while its file is read: who types at once after Ctrl-K loses nothing. */
export function EarlyWords({ words, setWords, close }: Props) {
  return (
    <>
      <div className="backdrop" onClick={close} />
      <div className="dialog palette" role="dialog" aria-label={text.palette.title}>
        <input
          className="input"
          placeholder={text.palette.placeholder}
          aria-label={text.palette.title}
          value={words}
          spellCheck={false}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && close()}
          autoFocus
        />
      </div>
    </>
  );
}
