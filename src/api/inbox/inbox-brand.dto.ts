import { ApiProperty } from '@nestjs/swagger';
import { parseColor } from '../../rules/check/color.js';
import type { Color } from '../../rules/check/color.js';
import { CONTRAST, hexOf, readableOn } from '../../rules/check/readable-color.js';
import { LOGO, LogoDto } from '../logo/logo.dto.js';
import type { StoredLogo } from '../logo/logo.js';
import type { PageTexts } from '../recipient-page/texts.js';
import { nameInElement } from '../recipient-page/texts/inbox.js';

/** Nulls: the organization was deleted at this moment. */
export interface BrandRow {
  name: string | null;
  slug: string | null;
  color: string | null;
  logo: StoredLogo | null;
  pageTexts: PageTexts | null;
}

/** The backgrounds of the inbox element on which its color has the lowest contrast: a message below the pointer. */
const LIGHT: Color = [245, 246, 248];
const DARK: Color = [38, 41, 47];

/** The color of the organization, as little darker or lighter as text in it needs (WCAG 2.2 AA). */
class InboxAccentDto {
  /**
   * On a light background.
   * @example '#1a7f37'
   */
  light: string;

  /**
   * On a dark background.
   * @example '#5ba571'
   */
  dark: string;
}

/** How the organization looks: the data of an event `brand`. */
export class InboxBrandDto {
  /** @example 'Acme' */
  name: string;

  @ApiProperty({ type: InboxAccentDto, nullable: true, example: { light: '#1a7f37', dark: '#5ba571' } })
  accent: InboxAccentDto | null;

  @ApiProperty({ type: LogoDto, nullable: true, example: LOGO })
  logo: LogoDto | null;

  /** The organization's own texts of the inbox element, by language and by the name that the element uses. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    example: { de: { title: 'Post' } },
  })
  texts: PageTexts;

  /** Null: the organization has no brand, or only texts of pages. */
  static from({ name, slug, color, logo, pageTexts }: BrandRow, publicUrl: string | null): InboxBrandDto | null {
    const texts = textsOfInbox(pageTexts ?? {});
    if (name === null || slug === null || !(color || logo || Object.keys(texts).length > 0)) return null;
    return { name, accent: accentOf(color), logo: logo && LogoDto.from(slug, logo, publicUrl), texts };
  }
}

function accentOf(color: string | null): InboxAccentDto | null {
  const accent = parseColor(color ?? '');
  if (!accent) return null;
  const [light, dark] = [LIGHT, DARK].map((background) => hexOf(readableOn(accent, background, CONTRAST.text)));
  return { light: light!, dark: dark! };
}

function textsOfInbox(all: PageTexts): PageTexts {
  const languages = Object.entries(all).map(([language, texts]) => {
    const own = Object.entries(texts).filter(([name]) => name.startsWith('inbox_'));
    return [language, Object.fromEntries(own.map(([name, text]) => [nameInElement(name), text]))] as const;
  });
  return Object.fromEntries(languages.filter(([, texts]) => Object.keys(texts).length > 0));
}
