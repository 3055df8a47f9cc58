import type { Dispatcher } from '@carillon/client';
import { useRead } from '../../api/read';
import { useId } from 'react';
import { CodeEditor } from '../../editor/code-editor';
import { InsertBar, useInsertTarget } from '../../editor/insert-bar';
import type { Words } from '../../editor/variable';
import { FormatChoice } from '../../form/format-choice';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';
import { FORMATS, formatOf, inFormat } from './format';
import type { FormatsLeft } from './format';
import { LayoutChoice } from './layout-choice';
import { SENDER_PARTS, TEMPLATE_PARTS } from './parts';
import { ProviderTemplateField } from './provider-template-field';
import { RichFields } from './rich-fields';
import type { RuleTemplate } from './parts';

type Limits = Dispatcher['limits'];

interface Props {
  place: EventPlace;
  template: RuleTemplate;
  /** The type of its channel; undefined: not known. */
  type: string | undefined;
  words: Words;
  faults: Record<string, string[]>;
  /** Names that the template uses and nobody knows. */
  unknown: string[];
  /** Outlives the form: one may look at another channel or language in between. */
  left: FormatsLeft;
  onEdit: (template: RuleTemplate) => void;
  onRemove: () => void;
  /** Whether it is the text in another language: the sender is that of the template. */
  isTranslation?: boolean;
}

/** What the channel takes of a part, in words. A mail is so large that nobody needs to know. */
function limitOf(part: string, limits: Limits | undefined): string | null {
  const { most, together } = text.rule.limits;
  if (part === 'subject' && limits?.subject) return most(limits.subject);
  if (part !== 'text') return null;
  if (limits?.text) return most(limits.text);
  return limits?.bytes && limits.data_bytes ? together(limits.bytes) : null;
}

/** The parts of a message that the channel can send, each in an editor. */
export function TemplateForm(props: Props) {
  const { place, template, type, words, faults, unknown, left, onEdit, onRemove, isTranslation = false } = props;
  const id = useId();
  const dispatchers = useRead('/api/dispatchers/', {}).data;
  const dispatcher = dispatchers?.find((one) => one.type === type);
  const sends = dispatcher?.parts ?? ['subject', 'text', 'html'];
  const limits = dispatcher?.limits;
  const format = formatOf(template);
  const target = useInsertTarget([format, 'text', 'subject']);
  const hasHtml = (sends as string[]).includes('html') || format !== 'text';
  const isUsed = (part: 'subject' | (typeof SENDER_PARTS)[number]) =>
    (sends as string[]).includes(part) || Boolean(template[part]);
  const body = TEMPLATE_PARTS.filter(
    (part) => part === format || (part === 'subject' ? isUsed(part) : part === 'text'),
  );
  const shown = [...(isTranslation ? [] : SENDER_PARTS.filter(isUsed)), ...body];
  return (
    <div className="form">
      {hasHtml && (
        <FormatChoice formats={FORMATS} format={format} onChoose={(one) => onEdit(inFormat(template, one, left))} />
      )}
      {hasHtml && format !== 'mjml' && !isTranslation && (
        <LayoutChoice
          {...place}
          layout={template.layout ?? null}
          onChange={(layout) => onEdit({ ...template, layout })}
        />
      )}
      <InsertBar words={words} onInsert={target.insert} />
      {shown.map((part) => (
        <div className="field" key={part} data-part={part}>
          <span className="label">{text.rule.parts[part]}</span>
          <CodeEditor
            label={text.rule.parts[part]}
            value={template[part] ?? ''}
            onChange={(value) => onEdit({ ...template, [part]: value === '' && part !== format ? null : value })}
            language={part === 'markdown' ? part : part === 'html' || part === 'mjml' ? 'html' : 'text'}
            words={words}
            faults={faults[part]}
            unknown={unknown}
            {...target.propsOf(part)}
            describedBy={`${id}-keys`}
          />
          {(part === 'from' || part === 'reply_to') && <span className="hint">{text.rule.senderHints[part]}</span>}
          {limitOf(part, limits) && <span className="hint">{limitOf(part, limits)}</span>}
          {part === 'text' && format !== 'text' && <span className="hint">{text.rule.textHint}</span>}
        </div>
      ))}
      {!isTranslation && (sends as string[]).includes('url') && (
        <RichFields key={template.channel} {...{ template, limits, words, faults, unknown, onEdit }} />
      )}
      {!isTranslation && (sends as string[]).includes('template') && (
        <ProviderTemplateField key={`template of ${template.channel}`} {...{ template, faults, onEdit }} />
      )}
      <div className="row">
        <span className="soft keys" id={`${id}-keys`}>
          {text.editor.keys}
        </span>
        <span className="space" />
        <button type="button" className="button small plain" onClick={onRemove}>
          {isTranslation ? text.rule.languages.remove : text.rule.removeTemplate}
        </button>
      </div>
    </div>
  );
}
