import { parseColor } from '@carillon/check/color';
import type { Color } from '@carillon/check/color';
import { CONTRAST, hexOf, onColor, readableOn } from '@carillon/check/readable-color';
import { text } from '../../text/text';
import { COLOR } from './color-field';
import type { BrandDraft } from './draft';

interface Props {
  name: string;
  logo: string | null;
  draft: BrandDraft;
}

const SCHEMES: Record<'light' | 'dark', Color> = { light: [255, 255, 255], dark: [28, 30, 34] };
const DEFAULT: Color = [59, 91, 219];

/** The brand on a light and on a dark background, with the color as pages and the inbox element show it. */
export function BrandPreview({ name, logo, draft }: Props) {
  const color = (COLOR.test(draft.color) && parseColor(draft.color)) || DEFAULT;
  const adjusted = (['light', 'dark'] as const).flatMap((scheme) => {
    const shown = hexOf(readableOn(color, SCHEMES[scheme], CONTRAST.text));
    return shown === hexOf(color) ? [] : [text.brand.isAdjusted(text.brand.schemes[scheme], shown)];
  });
  return (
    <section className="card stack" aria-label={text.brand.preview}>
      <h2>{text.brand.preview}</h2>
      {(['light', 'dark'] as const).map((scheme) => (
        <Sample key={scheme} {...{ scheme, color, name, logo, draft }} />
      ))}
      {adjusted.map((line) => (
        <p className="soft" key={line}>
          {line}
        </p>
      ))}
    </section>
  );
}

function Sample({ scheme, color, name, logo, draft }: Props & { scheme: 'light' | 'dark'; color: Color }) {
  const graphic = readableOn(color, SCHEMES[scheme], CONTRAST.graphic);
  const link = readableOn(color, SCHEMES[scheme], CONTRAST.text);
  const { sample, schemes } = text.brand;
  const end = [name, draft.address].filter(Boolean).join(' · ');
  return (
    <figure className="brand-sample" data-scheme={scheme} style={{ borderTopColor: hexOf(graphic) }}>
      <figcaption>{schemes[scheme]}</figcaption>
      {logo ? <img src={logo} alt={name} /> : <strong>{name}</strong>}
      <p>
        <strong>{sample.title}</strong>
        <br />
        {sample.body}
      </p>
      <p className="row">
        <span className="brand-button" style={{ background: hexOf(graphic), color: hexOf(onColor(graphic)) }}>
          {sample.button}
        </span>
        <span style={{ color: hexOf(link) }}>{sample.link}</span>
      </p>
      <small>
        {draft.links.map(({ label }, i) => (
          <span key={i}>
            <u>{label}</u>{' '}
          </span>
        ))}
        <br />
        {end}
      </small>
    </figure>
  );
}
