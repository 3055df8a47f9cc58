import { text } from '../../text/text';
import type { BrandDraft } from './draft';
import { RowsField } from './rows-field';

interface Props {
  links: BrandDraft['links'];
  disabled: boolean;
  error: Error | null;
  onChange: (change: Partial<BrandDraft>) => void;
}

export function LinksField({ links, disabled, error, onChange }: Props) {
  return (
    <RowsField
      name="links"
      label={text.brand.links}
      hint={text.brand.linksHint}
      add={text.brand.addLink}
      rows={links}
      empty={{ label: '', url: '' }}
      most={10}
      {...{ disabled, error }}
      isOurs={(field) => field.startsWith('links')}
      onChange={(next) => onChange({ links: next })}
    >
      {(link, set, number) => (
        <>
          <input
            className="input"
            aria-label={text.brand.numbered(text.brand.link.label, number)}
            placeholder={text.brand.link.label}
            value={link.label}
            maxLength={60}
            required
            disabled={disabled}
            onChange={(event) => set({ ...link, label: event.target.value })}
          />
          <input
            className="input"
            type="url"
            aria-label={text.brand.numbered(text.brand.link.url, number)}
            placeholder="https://"
            value={link.url}
            required
            disabled={disabled}
            onChange={(event) => set({ ...link, url: event.target.value })}
          />
        </>
      )}
    </RowsField>
  );
}
