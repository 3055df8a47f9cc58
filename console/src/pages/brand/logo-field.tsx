import { useId, useState } from 'react';
import { text } from '../../text/text';
import type { BrandDraft } from './draft';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_KB = 256;

interface Props {
  /** The address of the image that is stored or was chosen; null: none. */
  logo: string | null;
  name: string;
  disabled: boolean;
  onChange: (change: Partial<BrandDraft>) => void;
}

/** Chooses an image and shows it. The service checks it again when it is saved. */
export function LogoField({ logo, name, disabled, onChange }: Props) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  async function choose(input: HTMLInputElement) {
    const [file] = input.files ?? [];
    if (!file) return;
    const found = problemOf(file);
    setProblem(found);
    if (!found) onChange({ logo: await readFile(file) });
    // The same file can be chosen again after it was corrected.
    input.value = '';
  }
  return (
    <div className="field" data-field="logo">
      <label htmlFor={id}>{text.brand.logo}</label>
      <div className="row brand-logo">
        {logo ? <img src={logo} alt={name} /> : <span className="soft">{text.brand.noLogo}</span>}
        {logo && !disabled && (
          <button type="button" className="button small" onClick={() => onChange({ logo: null })}>
            {text.brand.removeLogo}
          </button>
        )}
      </div>
      <input
        id={id}
        className="input"
        type="file"
        accept={TYPES.join()}
        disabled={disabled}
        aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ''}`}
        aria-invalid={problem !== null || undefined}
        onChange={(event) => void choose(event.target)}
      />
      <span className="hint" id={`${id}-hint`}>
        {text.brand.logoHint}
      </span>
      {problem && (
        <span className="error" id={`${id}-error`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

function problemOf({ name, type, size }: File): string | null {
  if (!TYPES.includes(type)) return text.brand.wrongType(name);
  return size > MAX_KB * 1024 ? text.brand.tooLarge(name, Math.ceil(size / 1024)) : null;
}

/** As a `data:` address, which an image can show and which holds the base64 that the service wants. */
const readFile = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error as Error));
    reader.readAsDataURL(file);
  });
