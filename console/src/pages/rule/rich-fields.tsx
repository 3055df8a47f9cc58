import type { Dispatcher } from '@carillon/client';
import { useState } from 'react';
import { CodeEditor } from '../../editor/code-editor';
import type { Words } from '../../editor/variable';
import { text } from '../../text/text';
import type { RuleTemplate } from './parts';

interface Props {
  template: RuleTemplate;
  limits: Dispatcher['limits'] | undefined;
  words: Words;
  faults: Record<string, string[]>;
  unknown: string[];
  onEdit: (template: RuleTemplate) => void;
}

const BUTTONS = [0, 1];
/** Where the channel says no other number. */
const MOST_DATA_BYTES = 4096;

/** What a message has besides its text: where it leads, a picture, two buttons and data for the app. */
export function RichFields({ template, limits, words, faults, unknown, onEdit }: Props) {
  const { rich } = text.rule;
  const editor = (
    part: string,
    label: string,
    value: string,
    onChange: (value: string) => void,
    hint: string | null = null,
  ) => (
    <div className="field" key={part} data-part={part}>
      <span className="label">{label}</span>
      <CodeEditor {...{ label, value, onChange, words, unknown }} language="text" faults={faults[part]} />
      {hint && <span className="hint">{hint}</span>}
    </div>
  );
  function editAction(index: number, change: { label?: string; url?: string }) {
    const actions = [...(template.actions ?? [])];
    while (actions.length <= index) actions.push({ label: '', url: '' });
    actions[index] = { ...actions[index]!, ...change };
    const left = actions.filter(({ label, url }) => label !== '' || url !== '');
    onEdit({ ...template, actions: left.length > 0 ? left : null });
  }
  return (
    <details className="field" open={Boolean(template.url ?? template.image ?? template.actions ?? template.data)}>
      <summary>{rich.title}</summary>
      <div className="form">
        {editor('url', rich.url, template.url ?? '', (url) => onEdit({ ...template, url: url || null }), rich.urlHint)}
        {editor(
          'image',
          rich.image,
          template.image ?? '',
          (image) => onEdit({ ...template, image: image || null }),
          rich.imageHint,
        )}
        {BUTTONS.filter((i) => i === 0 || template.actions?.[i - 1]).flatMap((i) => [
          editor(
            `actions[${i}].label`,
            rich.labelOf(i + 1),
            template.actions?.[i]?.label ?? '',
            (label) => editAction(i, { label }),
            i === 0 ? rich.labelHint : null,
          ),
          editor(`actions[${i}].url`, rich.urlOf(i + 1), template.actions?.[i]?.url ?? '', (url) =>
            editAction(i, { url }),
          ),
        ])}
        <DataField template={template} limits={limits} faults={faults.data} onEdit={onEdit} />
      </div>
    </details>
  );
}

/** The data as JSON. A text that is not an object yet stays in the editor, and the template keeps what it had. */
function DataField({
  template,
  limits,
  faults,
  onEdit,
}: Pick<Props, 'template' | 'limits' | 'onEdit'> & { faults?: string[] }) {
  const { rich } = text.rule;
  const [typed, setTyped] = useState(() => (template.data ? JSON.stringify(template.data, null, 2) : ''));
  const read = readObject(typed);
  function change(next: string) {
    setTyped(next);
    const data = readObject(next);
    if (data !== undefined) onEdit({ ...template, data });
  }
  return (
    <div className="field" data-part="data">
      <span className="label">{rich.data}</span>
      <CodeEditor
        label={rich.data}
        value={typed}
        onChange={change}
        language="json"
        faults={read === undefined ? [rich.noObject] : faults}
      />
      <span className="hint">
        {rich.dataHint} {rich.dataMost(limits?.data_bytes ?? MOST_DATA_BYTES)}{' '}
        {limits && limits.reserved_data.length > 0 && rich.reserved(limits.reserved_data)}
      </span>
    </div>
  );
}

/** Null: nothing; undefined: not a JSON object. */
function readObject(typed: string): Record<string, unknown> | null | undefined {
  if (typed.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
