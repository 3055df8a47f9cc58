/** A text, not a time: an input of the type `time` has no 24:00. */
export function ClockInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label className="row">
      {label}
      <input
        className="input clock"
        required
        pattern="([01]\d|2[0-3]):[0-5]\d|24:00"
        placeholder="22:00"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
