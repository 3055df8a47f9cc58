import { Field } from '../../../form/field';
import { text } from '../../../text/text';
import type { Draft } from '../draft';
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
      <Field label={words.lapses} hint={words.lapsesHint} error={error} name="acknowledge.for">
        <input
          className="input"
          value={lapse}
          onChange={(event) => put(acknowledge?.by ?? 'anyone', event.target.value.trim())}
        />
      </Field>
    </>
  );
}
