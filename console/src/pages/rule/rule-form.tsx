import { Suspense, lazy } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Field } from '../../form/field';
import { FieldErrors } from '../../form/field-errors';
import { SuggestInput } from '../../form/suggest-input';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';
import { AudienceField } from './audience/audience-field';
import { useContextFields } from './condition/use-context-fields';
import type { Draft } from './draft/draft';
import { AcknowledgeField, asksToAcknowledge } from './step/acknowledge-field';
import { StepsField } from './step/steps-field';
import { ToField } from './to-field';
import { DigestField } from './waiting/digest-field';
import { LimitField } from './waiting/limit-field';
import type { DraftCheck } from './use-draft-check';
import { WindowField } from './waiting/window-field';

// It brings the parser of JMESPath.
const ConditionField = lazy(() =>
  import('./condition/condition-field').then(({ ConditionField: component }) => ({ default: component })),
);

interface Props {
  place: EventPlace;
  draft: Draft;
  /** The data that the preview shows. */
  context: Record<string, unknown> | undefined;
  checked: DraftCheck;
}

/** Who gets it and when: condition, lists, audience, waiting. */
export function RuleForm({ place, draft, context, checked: { error, unreached } }: Props) {
  const { rule, edit } = draft;
  const { org, prj } = place;
  const isAllowed = useCan()('distributionlist:read');
  const input = { path: { org, prj }, query: { limit: 1000 } };
  const found = useRead('/api/o/{org}/p/{prj}/d/', input, { enabled: isAllowed }).data?.map(({ name }) => name) ?? [];
  const fields = useContextFields(place, context);
  const names = fields.map(({ name }) => name).filter((name) => !name.includes('[]'));
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
      <Suspense fallback={<span className="skeleton editor-skeleton" />}>
        <ConditionField
          when={rule.when}
          onChange={(when) => edit({ when })}
          onUnfinished={(isUnfinished) => draft.setUnfinished('when', isUnfinished)}
          {...{ fields, context, error }}
        />
      </Suspense>
      <ToField to={rule.to} fields={names} edit={edit} error={error} />
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
          <FieldErrors error={error} name="distribution_lists" />
        </fieldset>
      )}
      {!rule.to && (
        <AudienceField
          org={org}
          name="audience"
          value={rule.audience}
          onChange={(audience) => edit({ audience })}
          fault={draft.fault}
          error={error}
          onUnfinished={(isUnfinished) => draft.setUnfinished('audience', isUnfinished)}
        />
      )}
      <StepsField {...{ org, prj, draft, lists, error, unreached }} steps={rule.steps} templates={rule.templates} />
      {asksToAcknowledge(rule.steps) && <AcknowledgeField acknowledge={rule.acknowledge} edit={edit} error={error} />}
      <Field
        label={text.rule.thread}
        hint={rule.steps ? text.rule.threadStepsHint : text.rule.threadHint}
        error={error}
        name="thread"
      >
        <SuggestInput
          value={rule.thread ?? ''}
          onType={(typed) => edit({ thread: typed.trim() || null })}
          placeholder="order.id"
        >
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </SuggestInput>
      </Field>
      <WindowField
        window={rule.window}
        label={text.rule.waiting.window}
        hint={text.rule.waiting.windowHint}
        onChange={(window) => edit({ window })}
        error={error}
        name="window"
      />
      <DigestField digest={rule.digest} fields={names} edit={edit} error={error} />
      <LimitField limit={rule.limit} fields={names} edit={edit} error={error} />
    </div>
  );
}
