/** The logo of an organization, as `organizations.logo` holds it. */
export interface StoredLogo {
  /** The hash of the bytes, in hexadecimal digits. */
  sha256: string;
  content_type: string;
  /** The size in which mails and pages show it: set in the HTML, so that nothing moves when the image arrives. */
  width: number;
  height: number;
}

/** Where the service serves a logo. `notification.sql.ts` makes the same path for layouts. */
export const logoPath = (organization: string, { sha256 }: StoredLogo) => `/logos/${organization}/${sha256}`;
