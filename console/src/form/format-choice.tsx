import { useId } from 'react';
import { text } from '../text/text';

interface Props<Format extends keyof typeof text.rule.formats> {
  formats: readonly Format[];
  format: Format;
  onChoose: (format: Format) => void;
}

/** The language in which a template or a layout is written. */
export function FormatChoice<Format extends keyof typeof text.rule.formats>(props: Props<Format>) {
  const { formats, format, onChoose } = props;
  const id = useId();
  return (
    <div className="row" role="radiogroup" aria-label={text.rule.format}>
      <span className="label">{text.rule.format}</span>
      {formats.map((one) => (
        <label key={one} className="choice">
          <input type="radio" name={id} checked={format === one} onChange={() => onChoose(one)} />
          {text.rule.formats[one]}
        </label>
      ))}
    </div>
  );
}
