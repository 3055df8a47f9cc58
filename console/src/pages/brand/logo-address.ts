import type { OrganizationSettings } from '@carillon/client';
import { serviceUrl } from '../../api/place';

/** Where this page finds the logo: `PUBLIC_URL` may be another host than the one that it was opened from. */
export const logoAddress = (logo: OrganizationSettings['logo']): string | null =>
  logo && serviceUrl + logo.url.slice(logo.url.lastIndexOf('/logos/'));
