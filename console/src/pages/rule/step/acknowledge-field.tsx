import { DurationInput } from '../../../form/duration-input';
import { Field } from '../../../form/field';
import { text } from '../../../text/text';
import type { Draft } from '../draft/draft';
import type { RuleAcknowledge, RuleStep } from '../parts';

const BY = ['anyone', 'each'] as const;

interface Props {
  acknowledge: RuleAcknowledge | null;
  edit: Draft['edit'];
  error: Error | null;
}

/** Only with such a step does it matter who acknowledges. */
export const asksToAcknowledge = (steps: RuleStep[] | null) =>
  steps?.some(({ unless }) => unless === 'acknowledged') ?? false;

/** Whose acknowledgement ends the steps, and when it lapses. */
export function AcknowledgeField({ acknowledge, edit, error }: Props) {
  const words = text.rule.acknowledge;
  const lapse = acknowledge?.for ?? '';
  const put = (by: RuleAcknowledge['by'], after: string) =>
    edit({ acknowledge: by === 'anyone' && !after ? null : { by, ...(after && { for: after }) } });
  return (
    <>
      <Field label={words.title} hint={words.hint} error={error} name="acknowledge.by">
        <select
          className="input"
          value={acknowledge?.by ?? 'anyone'}
          onChange={({ target }) => {
            const by = BY.find((one) => one === target.value) ?? 'anyone';
            put(by, lapse);
          }}
        >
          {BY.map((one) => (
            <option key={one} value={one}>
              {words.by[one]}
            </option>
          ))}
        </select>
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={lapse !== ''}
          onChange={({ target }) => put(acknowledge?.by ?? 'anyone', target.checked ? '4h' : '')}
        />
        <span>{words.lapses}</span>
      </label>
      {lapse !== '' && (
        <Field label={words.lapsesAfter} hint={words.lapsesHint} error={error} name="acknowledge.for">
          <DurationInput value={lapse} onChange={(next) => put(acknowledge?.by ?? 'anyone', next)} />
        </Field>
      )}
    </>
  );
}
