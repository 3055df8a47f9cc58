import { SuggestInput } from './suggest-input';
import type { SuggestInputProps } from './suggest-input';

const ZONES = Intl.supportedValuesOf('timeZone');

/** The IANA name of a time zone, with suggestions. */
export function ZoneInput(props: SuggestInputProps) {
  return (
    <SuggestInput {...props}>
      {ZONES.map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </SuggestInput>
  );
}
