import type { OrganizationSettings, UpdateOrganizationSettings } from '@carillon/client';

/** A text of the organization, as a row of the form. */
export interface OwnText {
  language: string;
  name: string;
  text: string;
}

/** The brand as a form shows it. */
export interface BrandDraft {
  color: string;
  address: string;
  links: { label: string; url: string }[];
  texts: OwnText[];
  /** A chosen file as a `data:` address; null: none. Undefined: the stored one. */
  logo?: string | null;
}

export const draftOf = ({ color, address, links, page_texts }: OrganizationSettings): BrandDraft => ({
  color: color ?? '',
  address: address ?? '',
  links: links ?? [],
  texts: Object.entries(page_texts ?? {}).flatMap(([language, texts]) =>
    Object.entries(texts).map(([name, one]) => ({ language, name, text: one })),
  ),
});

/** What a form changes, as the body of a request. */
export function changesOf(draft: BrandDraft, settings: OrganizationSettings): UpdateOrganizationSettings {
  const before = draftOf(settings);
  const differs = (name: keyof BrandDraft) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]);
  return {
    ...(differs('color') && { color: draft.color.trim() || null }),
    ...(differs('address') && { address: draft.address.trim() || null }),
    ...(differs('links') && { links: draft.links.length > 0 ? draft.links : null }),
    ...(differs('texts') && { page_texts: textsOf(draft.texts) }),
    ...(draft.logo !== undefined && {
      logo: draft.logo === null ? null : { content: draft.logo.slice(draft.logo.indexOf(',') + 1) },
    }),
  };
}

function textsOf(rows: OwnText[]): Record<string, Record<string, string>> | null {
  const texts: Record<string, Record<string, string>> = {};
  for (const { language, name, text } of rows) (texts[language] ??= {})[name.trim()] = text;
  return rows.length > 0 ? texts : null;
}
