import { Field } from '../../../form/field';
import { text } from '../../../text/text';
import type { ListName } from './file/file-columns';
import { DELIMITERS } from './file/delimiter';
import type { Delimiter } from './file/delimiter';

interface Props {
  delimiter: Delimiter;
  lists: ListName[];
  /** Where all users are added, such as `shop/Staff`; empty: nowhere. */
  everybody: string;
  disabled: boolean;
  onSeparate: (delimiter: Delimiter) => void;
  onList: (everybody: string) => void;
}

export const placeOf = ({ project, name }: ListName) => `${project}/${name}`;

/** What holds for the whole file. */
export function SourceChoices({ delimiter, lists, everybody, disabled, onSeparate, onList }: Props) {
  return (
    <div className="filters">
      <Field label={text.import.separator}>
        <select
          className="input"
          value={delimiter}
          disabled={disabled}
          onChange={({ target }) => onSeparate(target.value as Delimiter)}
        >
          {DELIMITERS.map((each) => (
            <option key={each} value={each}>
              {text.import.separators[each]}
            </option>
          ))}
        </select>
      </Field>
      {lists.length > 0 && (
        <Field label={text.import.everybody}>
          <select
            className="input"
            value={everybody}
            disabled={disabled}
            onChange={({ target }) => onList(target.value)}
          >
            <option value="">{text.import.noList}</option>
            {lists.map((each) => (
              <option key={placeOf(each)}>{placeOf(each)}</option>
            ))}
          </select>
        </Field>
      )}
    </div>
  );
}
