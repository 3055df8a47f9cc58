import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';

/** Something that happens in an application. Its notifications tell users about it. */
export class EventDto {
  /** @example 'Order paid' */
  name: string;

  /** @example 'order-paid' */
  slug: string;

  static from({ name, slug }: EventDto): EventDto {
    return { name, slug };
  }
}

/** An event with its settings. */
export class EventSettingsDto extends EventDto {
  /** @example true */
  enabled: boolean;

  /**
   * Days to keep its occurrences; null: the default of the service.
   * @example 30
   */
  @ApiProperty({ type: 'integer', nullable: true })
  retention_days: number | null;

  /**
   * An occurrence that would reach more users is held until someone approves it; null: no ceiling.
   * @example 1000
   */
  @ApiProperty({ type: 'integer', nullable: true })
  max_recipients: number | null;

  /**
   * Slug of the category that users can choose or refuse; null: its messages are always sent.
   * @example 'news'
   */
  @ApiProperty({ type: String, nullable: true })
  category: string | null;
}

const isSet = (_: unknown, value: unknown) => value !== undefined && value !== null;

export class UpdateEventDto {
  /** @example 'Order paid' */
  @Optional()
  @IsName()
  name?: string;

  /**
   * While false, its occurrences wait: they resume when it is true again.
   * @example true
   */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /**
   * Days to keep its occurrences; null: the default of the service.
   * @example 30
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: 3650 })
  @ValidateIf(isSet)
  @IsInt()
  @Min(1)
  @Max(3650)
  retention_days?: number | null;

  /**
   * An occurrence that would reach more users is held until someone approves it; null: no ceiling.
   * @example 1000
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: 2_147_483_647 })
  @ValidateIf(isSet)
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  max_recipients?: number | null;

  /**
   * Slug of a category of the project, which users can choose or refuse; null: its messages are always sent.
   * @example 'news'
   */
  @ApiProperty({ type: String, nullable: true })
  @ValidateIf(isSet)
  @IsString()
  category?: string | null;
}

export class CreateEventDto extends OmitType(UpdateEventDto, ['name']) {
  /** @example 'order-paid' */
  @IsSlug()
  slug: string;

  /** @example 'Order paid' */
  @IsName()
  name: string;
}
