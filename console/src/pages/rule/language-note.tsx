import { text } from '../../text/text';
import type { LanguageGaps } from './translation-gaps';

/** What is missing or outdated in a language, and what to do. */
export function LanguageNote({ gaps: { missing, outdated, of }, onFits }: { gaps: LanguageGaps; onFits: () => void }) {
  if (missing.length + outdated.length === 0) return null;
  const namesOf = (parts: LanguageGaps['missing']) => parts.map((part) => text.rule.parts[part]).join(', ');
  return (
    <div className="note warn stack" role="status">
      {outdated.length > 0 && <p>{text.rule.languages.outdatedHint(namesOf(outdated))}</p>}
      {missing.length > 0 && <p>{text.rule.languages.missingHint(namesOf(missing))}</p>}
      {outdated.length > 0 && of !== null && (
        <div className="row">
          <button type="button" className="button small" onClick={onFits}>
            {text.rule.languages.fits}
          </button>
        </div>
      )}
    </div>
  );
}
