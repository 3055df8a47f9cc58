import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { toFields } from '../../platform/database/columns.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Changes, New, OrNull } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';

/** Something that happens in an application. Its notifications tell users about it. */
export class EventDto {
  /** @example 'Order paid' */
  @IsName()
  name: string;

  /** @example 'order-paid' */
  @IsSlug()
  slug: string;

  static from({ name, slug }: EventDto): EventDto {
    return { name, slug };
  }
}

/** In the order of the response. */
export const eventSelect = {
  ...{ name: true, slug: true, enabled: true, retentionDays: true, maxRecipients: true, resolvesEvent: true },
  category: { select: { slug: true } },
} satisfies Prisma.EventSelect;

type EventRow = Prisma.EventGetPayload<{ select: typeof eventSelect }>;

/** An event with its settings. */
export class EventSettingsDto extends EventDto {
  /**
   * While false, its occurrences wait: they resume when it is true again.
   * @example true
   */
  @IsBoolean()
  enabled: boolean;

  /**
   * Days to keep its occurrences; null: the default of the service.
   * @example 30
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: 3650 })
  @OrNull()
  @IsInt()
  @Min(1)
  @Max(3650)
  retention_days: number | null;

  /**
   * An occurrence that would reach more users is held until someone approves it; null: no ceiling.
   * @example 1000
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: 2_147_483_647 })
  @OrNull()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  max_recipients: number | null;

  /**
   * Slug of a category of the project, which users can choose or refuse; null: its messages are always sent.
   * @example 'news'
   */
  @ApiProperty({ type: String, nullable: true })
  @OrNull()
  @IsString()
  category: string | null;

  /**
   * Slug of an event of the application: a trigger ends the open steps of its notifications whose `thread` has the same value in the context of this
   * trigger. null: it ends none.
   * @example 'incident'
   */
  @ApiProperty({ type: String, nullable: true })
  @OrNull()
  @IsSlug()
  resolves_event: string | null;

  static override from({ category, ...row }: EventRow): EventSettingsDto {
    return { ...toFields(row), category: category?.slug ?? null };
  }
}

export class UpdateEventDto extends Changes(OmitType(EventSettingsDto, ['slug'])) {}

export class CreateEventDto extends New(EventSettingsDto, ['slug', 'name']) {}
