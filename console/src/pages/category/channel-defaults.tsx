import type { Category } from '@carillon/client';
import { useRead } from '../../api/read';
import { text } from '../../text/text';

type Channels = Category['channels'];

/** The channel types whose default differs from that of the category. */
export function ChannelDefaults({
  channels,
  onChange,
}: {
  channels: Channels;
  onChange: (channels: Channels) => void;
}) {
  const { data } = useRead('/api/dispatchers/', {});
  const types = [...new Set([...(data?.map(({ type }) => type) ?? []), ...Object.keys(channels)])];
  function choose(type: string, choice: string) {
    const { [type]: _, ...others } = channels;
    onChange(choice === 'on' || choice === 'off' ? { ...others, [type]: choice } : others);
  }
  return (
    <fieldset className="choices">
      <legend className="label">{text.category.differs}</legend>
      <div className="category-channels">
        {types.map((type) => (
          <label key={type} className="field">
            <span className="soft">{type}</span>
            <select
              className="input"
              value={channels[type] ?? ''}
              onChange={({ target }) => choose(type, target.value)}
            >
              <option value="">{text.category.same}</option>
              <option value="on">{text.category.defaults.on}</option>
              <option value="off">{text.category.defaults.off}</option>
            </select>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
