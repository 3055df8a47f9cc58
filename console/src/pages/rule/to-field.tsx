import { Field } from '../../form/field';
import { SuggestInput } from '../../form/suggest-input';
import { text } from '../../text/text';
import type { Draft } from './draft/draft';
import type { RuleTo } from './parts';

interface Props {
  to: RuleTo | null;
  /** Names of the context. */
  fields: readonly string[];
  edit: Draft['edit'];
  error: Error | null;
}

type Kind = keyof typeof text.rule.tos;

/** Whom the rule means: lists and an audience, the recipients of the trigger, or users that the context names. */
export function ToField({ to, fields, edit, error }: Props) {
  const kind: Kind = !to ? 'lists' : typeof to === 'string' ? to : 'context';
  function choose(next: Kind) {
    if (next === 'lists') return edit({ to: null });
    edit({ to: next === 'context' ? { context: '' } : next, distribution_lists: [], audience: '' });
  }
  return (
    <>
      <Field label={text.rule.to} hint={text.rule.toHints[kind]} error={error} name="to">
        <select className="input" value={kind} onChange={(change) => choose(change.target.value as Kind)}>
          {(Object.keys(text.rule.tos) as Kind[]).map((one) => (
            <option key={one} value={one}>
              {text.rule.tos[one]}
            </option>
          ))}
        </select>
      </Field>
      {typeof to === 'object' && to && (
        <Field label={text.rule.toExpression} hint={text.rule.toExpressionHint} error={error} name="to.context">
          <SuggestInput value={to.context} onType={(context) => edit({ to: { context } })} required>
            {fields.map((field) => (
              <option key={field} value={field} />
            ))}
          </SuggestInput>
        </Field>
      )}
    </>
  );
}
