import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { CodeEditor } from '../../editor/code-editor';
import { Field } from '../../form/field';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';
import { ConditionField } from './condition/condition-field';
import { useContextFields } from './condition/use-context-fields';
import type { Draft } from './draft';
import { JSON_PARTS } from './parts';
import { AcknowledgeField, asksToAcknowledge } from './acknowledge-field';
import { StepsField } from './steps-field';
import { ToField } from './to-field';

interface Props {
  place: EventPlace;
  draft: Draft;
  /** The data that the preview shows. */
  context: Record<string, unknown> | undefined;
  error: Error | null;
}

/** Who gets it and when: condition, lists, audience, waiting. */
export function RuleForm({ place, draft, context, error }: Props) {
  const { rule, edit, faults } = draft;
  const { org, prj } = place;
  const isAllowed = useCan()('distributionlist:read');
  const input = { path: { org, prj }, query: { limit: 1000 } };
  const found = useRead('/api/o/{org}/p/{prj}/d/', input, { enabled: isAllowed }).data?.map(({ name }) => name) ?? [];
  const fields = useContextFields(place, context);
  const lists = [...new Set([...rule.distribution_lists, ...found])];
  const toggle = (name: string, isOn: boolean) =>
    edit({
      distribution_lists: isOn
        ? [...rule.distribution_lists, name]
        : rule.distribution_lists.filter((one) => one !== name),
    });
  return (
    <div className="form">
      <Field label={text.rule.name} error={error} name="name">
        <input
          className="input"
          value={rule.name}
          onChange={(change) => edit({ name: change.target.value })}
          required
        />
      </Field>
      <label className="check">
        <input type="checkbox" checked={rule.enabled} onChange={(change) => edit({ enabled: change.target.checked })} />
        <span>{text.rule.enabledHint}</span>
      </label>
      <ConditionField
        when={rule.when}
        onChange={(when) => edit({ when })}
        onUnfinished={(isUnfinished) => draft.setUnfinished('when', isUnfinished)}
        {...{ fields, context, error }}
      />
      <ToField to={rule.to} edit={edit} error={error} />
      {!rule.to && (
        <fieldset className="lists">
          <legend className="label">{text.rule.lists}</legend>
          {lists.length === 0 && <span className="soft">{text.rule.noLists}</span>}
          {lists.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={rule.distribution_lists.includes(name)}
                onChange={(change) => toggle(name, change.target.checked)}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      <StepsField steps={rule.steps} templates={rule.templates} edit={edit} error={error} />
      {asksToAcknowledge(rule.steps) && <AcknowledgeField acknowledge={rule.acknowledge} edit={edit} error={error} />}
      <Field label={text.rule.thread} hint={text.rule.threadHint} error={error} name="thread">
        <input
          className="input mono"
          value={rule.thread ?? ''}
          onChange={(change) => edit({ thread: change.target.value.trim() || null })}
          placeholder="order.id"
          spellCheck={false}
        />
      </Field>
      {JSON_PARTS.filter((part) => part !== 'audience' || !rule.to).map((part) => (
        <details key={part} open={rule[part] !== '' || undefined}>
          <summary>
            <span className="label">{text.rule[part]}</span> <span className="soft">{text.rule.hints[part]}</span>
          </summary>
          <div className="stack json-part">
            <CodeEditor
              label={text.rule[part]}
              value={rule[part]}
              onChange={(value) => edit({ [part]: value })}
              language="json"
              faults={faults[part] ? [faults[part]] : undefined}
            />
            {rule[part] === '' && (
              <div className="row">
                <button
                  type="button"
                  className="button small"
                  onClick={() => edit({ [part]: JSON.stringify(text.rule.examples[part], null, 2) })}
                >
                  {text.rule.example}
                </button>
              </div>
            )}
          </div>
        </details>
      ))}
    </div>
  );
}
