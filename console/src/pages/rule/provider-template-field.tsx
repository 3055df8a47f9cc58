import type { ProviderTemplate } from '@carillon/client';
import { useState } from 'react';
import { CodeEditor } from '../../editor/code-editor';
import { text } from '../../text/text';
import type { RuleTemplate } from './parts';

interface Props {
  template: RuleTemplate;
  faults: Record<string, string[]>;
  onEdit: (template: RuleTemplate) => void;
}

/** The template of the provider as JSON. A text that is none yet stays in the editor, and the template keeps what it had. */
export function ProviderTemplateField({ template, faults, onEdit }: Props) {
  const { title, hint, noTemplate } = text.rule.providerTemplate;
  const [typed, setTyped] = useState(() => (template.template ? JSON.stringify(template.template, null, 2) : ''));
  const read = readTemplate(typed);
  function change(next: string) {
    setTyped(next);
    const given = readTemplate(next);
    if (given !== undefined) onEdit({ ...template, template: given });
  }
  return (
    <div className="field" data-part="template">
      <span className="label">{title}</span>
      <CodeEditor
        label={title}
        value={typed}
        onChange={change}
        language="json"
        faults={read === undefined ? [noTemplate] : faults.template}
      />
      <span className="hint">{hint}</span>
    </div>
  );
}

/** Null: nothing; undefined: not a template. What is wrong inside it, the service says. */
function readTemplate(typed: string): ProviderTemplate | null | undefined {
  if (typed.trim() === '') return null;
  try {
    const value = JSON.parse(typed) as Partial<ProviderTemplate> | null;
    return typeof value?.name === 'string' && typeof value.language === 'string'
      ? (value as ProviderTemplate)
      : undefined;
  } catch {
    return undefined;
  }
}
