import { ApiProperty } from '@nestjs/swagger';

const ENTRIES = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;
const ANY = {
  nullable: true,
  oneOf: ['string', 'number', 'boolean', 'object', 'array'].map((type) => ({
    type,
    ...(type === 'array' && { items: {} }),
  })),
};
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4AWNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';
const CHANNEL = { slug: 'mail', name: 'Mail', type: 'log' };

/** An organization as in a configuration file. `/api/provisioning.schema.json` describes every field. */
export class ConfigurationDto {
  /**
   * The slug in the path. It may be left out.
   * @example 'acme'
   */
  slug?: string;

  /**
   * Left out: unchanged.
   * @example 'Acme Inc'
   */
  name?: string;

  /** Quotas of the organization, which only an operator may change. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { stored_mb: 1000 } })
  quotas?: Record<string, unknown>;

  /** @example 'Europe/Rome' */
  @ApiProperty({ type: String, nullable: true })
  time_zone?: string | null;

  @ApiProperty({ ...ENTRIES, nullable: true, example: [{ days: ['sat', 'sun'], from: '22:00', to: '08:00' }] })
  quiet_hours?: object[] | null;

  /** @example 'de-AT' */
  @ApiProperty({ type: String, nullable: true })
  locale?: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { messages: 5, per: '1d' } })
  limit?: Record<string, unknown> | null;

  /** @example '#0a7d5c' */
  @ApiProperty({ type: String, nullable: true })
  color?: string | null;

  /** @example 'Acme Inc, Main Street 1, 12345 Springfield' */
  @ApiProperty({ type: String, nullable: true })
  address?: string | null;

  @ApiProperty({ ...ENTRIES, nullable: true, example: [{ label: 'Help', url: 'https://acme.test/help' }] })
  links?: object[] | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { content: LOGO } })
  logo?: Record<string, unknown> | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { de: { save: 'Sichern' } } })
  page_texts?: Record<string, unknown> | null;

  @ApiProperty({ ...ENTRIES, example: [{ slug: 'main', html: '<main>{{ content }}</main>' }] })
  layouts?: object[];

  @ApiProperty({ ...ENTRIES, example: [{ slug: 'footer', text: '{{ organization.name }}' }] })
  partials?: object[];

  /** @example ['https://shop.example.com'] */
  @ApiProperty({ type: [String], nullable: true })
  origins?: string[] | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { users: ['ann@example.com'] } })
  alerts?: Record<string, unknown> | null;

  /** The organization's own channels. */
  @ApiProperty({ ...ENTRIES, example: [CHANNEL] })
  channels?: object[];

  /** Users with their addresses, settings and preferences. */
  @ApiProperty({ ...ENTRIES, example: [{ email: 'ann@example.com', first_name: 'Ann' }] })
  users?: object[];

  /** Projects with their channels, categories, distribution lists and applications, and these with their events and notifications. */
  @ApiProperty({ ...ENTRIES, example: [{ slug: 'shop', name: 'Shop', channels: [CHANNEL] }] })
  projects?: object[];
}

/** One field before and after. A secret has neither. */
class ConfigurationDifferenceDto {
  /** @example 'config.port' */
  field: string;

  @ApiProperty({ ...ANY, example: 25 })
  before?: unknown;

  @ApiProperty({ ...ANY, example: 587 })
  after?: unknown;
}

/** One change, or several of the same kind in one place. */
class ConfigurationChangeDto {
  @ApiProperty({ enum: ['create', 'update', 'delete'], example: 'update' })
  verb: 'create' | 'update' | 'delete';

  /** @example 'channel' */
  noun: string;

  /**
   * The place of the resource; with `count`, of the resource that they are in.
   * @example 'acme/shop/mail'
   */
  name: string;

  /**
   * The change stands for this number of resources.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  count?: number;

  /**
   * The e-mails of deleted users or members, the first of them.
   * @example ['ann@example.com']
   */
  people?: string[];

  /** The changed fields of one resource. */
  @ApiProperty({ type: [ConfigurationDifferenceDto], example: [{ field: 'config.port', before: 25, after: 587 }] })
  differences?: ConfigurationDifferenceDto[];

  /**
   * Of a layout or partial: the notifications that its change touches, with the project, application and event that they belong to. At most 1,000.
   * @example ['shop/web/order-paid/Tell the staff']
   */
  touches?: string[];
}

class ConfigurationWarningDto {
  /**
   * Where it is in the body.
   * @example 'projects[0].applications[0].events[0].notifications[0].templates[0].text'
   */
  field: string;

  /** @example 'user.firstname does not exist, so it is always empty: did you mean first_name?' */
  sentence: string;
}

export class ConfigurationChangesDto {
  /** What was changed, or would be. Empty: the organization is like the configuration already. */
  @ApiProperty({
    type: [ConfigurationChangeDto],
    example: [{ verb: 'create', noun: 'channel', name: 'acme/shop/mail' }],
  })
  changes: ConfigurationChangeDto[];

  /** What is probably a mistake, such as a field of `user` in a template that does not exist. */
  @ApiProperty({ type: [ConfigurationWarningDto], example: [] })
  warnings: ConfigurationWarningDto[];

  /**
   * Names the deletions of this plan. Send it as `If-Match` when you apply the configuration: other deletions are then refused with a 412.
   * @example '"5f1c0de3a9b24c67"'
   */
  version: string;
}
