import type { Category } from '@carillon/client';
import { text } from '../../text/text';
import { useChannels } from '../channel/use-channels';

type Channels = Category['channels'];

interface Props {
  org: string;
  project: string;
  channels: Channels;
  onChange: (channels: Channels) => void;
}

/** The channel types whose default differs from that of the category: those that the project has, and those that were chosen before. */
export function ChannelDefaults({ org, project, channels, onChange }: Props) {
  const types = [...new Set([...(useChannels(org, project)?.map(({ type }) => type) ?? []), ...Object.keys(channels)])];
  function choose(type: string, choice: string) {
    const { [type]: _, ...others } = channels;
    onChange(choice === 'on' || choice === 'off' ? { ...others, [type]: choice } : others);
  }
  if (types.length === 0) return null;
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
