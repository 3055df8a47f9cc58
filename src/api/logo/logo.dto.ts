import { ApiProperty } from '@nestjs/swagger';
import { logoPath } from './logo.js';
import type { StoredLogo } from './logo.js';

/** For examples. */
export const LOGO = {
  url: 'https://carillon.example.com/logos/acme/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  ...{ content_type: 'image/png', width: 160, height: 48 },
};

/** An image that mails with the layout `default`, the pages for recipients and the inbox element show. */
export class LogoDto {
  /**
   * Where the service serves it, for everyone who knows the address. Without `PUBLIC_URL` only the path.
   * @example 'https://carillon.example.com/logos/acme/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'
   */
  url: string;

  /** @example 'image/png' */
  content_type: string;

  /**
   * The width in which it is shown, in pixels. The image itself may be larger.
   * @example 160
   */
  @ApiProperty({ type: 'integer' })
  width: number;

  /** @example 48 */
  @ApiProperty({ type: 'integer' })
  height: number;

  static from(organization: string, logo: StoredLogo, publicUrl: string | null): LogoDto {
    const { content_type, width, height } = logo;
    return { url: `${publicUrl ?? ''}${logoPath(organization, logo)}`, content_type, width, height };
  }
}
