import { ProblemError } from '@carillon/client';
import { Field } from '../../form/field';
import { text } from '../../text/text';
import { SettingsSection } from './settings-section';
import type { SettingsProps } from './settings-section';

const words = text.settings.origins;
const MOST = 50;

/** The web pages that may show the inbox element. */
export function Origins(props: SettingsProps) {
  return (
    <SettingsSection
      {...props}
      title={words.title}
      hint={words.hint}
      draftOf={({ origins }) => ({ origins })}
      bodyOf={({ origins }) => ({ origins: origins.length > 0 ? origins : null })}
    >
      {({ draft: { origins }, change, disabled, error }) => (
        <div className="stack" data-field="origins">
          {origins.length === 0 && <p className="soft">{words.none}</p>}
          {origins.map((origin, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other name while one types
            <div className="settings-row" key={at}>
              <Field label={words.numbered(at + 1)} fault={faultOf(error, at)}>
                <input
                  className="input"
                  type="url"
                  placeholder="https://app.example.com"
                  value={origin}
                  required
                  disabled={disabled}
                  onChange={(event) => change({ origins: origins.with(at, event.target.value) })}
                />
              </Field>
              {!disabled && (
                <button
                  type="button"
                  className="button small"
                  aria-label={words.remove(at + 1)}
                  onClick={() => change({ origins: origins.filter((_, i) => i !== at) })}
                >
                  {text.alerts.removeShort}
                </button>
              )}
            </div>
          ))}
          {!disabled && origins.length < MOST && (
            <div className="row">
              <button type="button" className="button small" onClick={() => change({ origins: [...origins, ''] })}>
                {words.add}
              </button>
            </div>
          )}
        </div>
      )}
    </SettingsSection>
  );
}

function faultOf(error: Error | null, at: number): string | null {
  const messages = error instanceof ProblemError ? error.errors[`origins[${at}]`] : undefined;
  return messages?.join(' ') ?? null;
}
