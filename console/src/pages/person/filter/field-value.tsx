import { useId } from 'react';
import { SearchBox } from '../../../form/search-box';
import { text } from '../../../text/text';

interface Props {
  field: string;
  value: string | undefined;
  examples: (string | number)[];
  onChange: (value: string | undefined) => void;
}

/** What a custom field holds, with values that some users have. Empty: anything. */
export function FieldValue({ field, value, examples, onChange }: Props) {
  const id = useId();
  return (
    <>
      <SearchBox
        label={text.people.valueOf(field)}
        data-filter={undefined}
        list={id}
        maxLength={200}
        value={value}
        onSearch={onChange}
      />
      <datalist id={id}>
        {examples.map((example) => (
          <option key={example} value={example} />
        ))}
      </datalist>
    </>
  );
}
