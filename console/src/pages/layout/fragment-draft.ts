import type { Fragment } from '@carillon/client';

/** The fields of the editor; '' where there is nothing. */
export interface FragmentDraft {
  html: string;
  mjml: string;
  text: string;
}

export const PARTS = ['html', 'mjml', 'text'] as const;

/** What the fields of a stored one show. */
export const draftOf = ({ html, mjml, text: plain }: Fragment): FragmentDraft => ({
  ...{ html: html ?? '', mjml: mjml ?? '', text: plain ?? '' },
});
