import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { Optional, OrNull } from '../../platform/field/optional.decorator.js';
import { NOTIFICATION_LIMIT_KB } from '../notification/notification.dto.js';

/** The edits, and what was published when they began. */
export const DRAFT_LIMIT_KB = 2 * NOTIFICATION_LIMIT_KB;

/** The id of a notification, or the name of one that does not exist yet. */
export const DRAFT_NAME = /^([1-9]\d{0,8}|new(-[a-z0-9]{1,20})?)$/;

const EDITED = {
  ...{ name: 'Tell the staff', when: 'total > `', distribution_lists: ['Staff'], audience: '{ "all": [' },
  templates: [{ channel: 'mail', subject: 'Order {{ order }} paid', text: 'Hi' }],
};

const OfNotification = (example: unknown = null) =>
  ApiProperty({
    ...{ required: false, nullable: true, example },
    description: 'As on a notification, or not valid yet.',
    oneOf: [
      { type: 'object', additionalProperties: true },
      { type: 'array', items: {} },
      ...['string', 'number', 'boolean'].map((type) => ({ type })),
    ],
  });

/** The fields of a notification, as far as somebody has come: what is in them may be wrong, such as an audience that is unfinished text. */
class EditedNotificationDto {
  /** @example 'Tell the staff' */
  name?: string;

  /** Objects as the templates of a notification, which need not be valid. */
  @ApiProperty({
    ...{ required: false, example: EDITED.templates },
    ...{ type: 'array', items: { type: 'object', additionalProperties: true } },
  })
  templates?: Record<string, unknown>[];

  @OfNotification(true) enabled?: unknown;
  @OfNotification(EDITED.when) when?: unknown;
  @OfNotification(EDITED.distribution_lists) distribution_lists?: unknown;
  @OfNotification(EDITED.audience) audience?: unknown;
  @OfNotification() to?: unknown;
  @OfNotification() window?: unknown;
  @OfNotification() digest?: unknown;
  @OfNotification() limit?: unknown;
  @OfNotification() steps?: unknown;
  @OfNotification() acknowledge?: unknown;
  @OfNotification() thread?: unknown;
}

/** A draft without its content. */
export class DraftDto {
  /**
   * The id of the notification that it changes, or a name of one that does not exist yet: `new`, or `new-` with letters and digits.
   * @example 'new'
   */
  @Matches(DRAFT_NAME, {
    message: 'must be the id of a notification, or new, or new- with up to 20 letters and digits',
  })
  @ApiProperty({ pattern: DRAFT_NAME.source })
  draft: string;

  /**
   * The name that the notification has in the draft; empty: none yet.
   * @example 'Tell the staff'
   */
  name: string;

  /**
   * Who saved it: the name of the key or the session.
   * @example 'ann@example.com'
   */
  saved_by: string;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  saved_at: string;
}

export class PutDraftDto {
  /** The fields of a notification. They need not be valid, but each has its place, and `templates` is a list of objects. */
  @IsObject()
  @ApiProperty({ type: EditedNotificationDto, example: EDITED })
  notification: EditedNotificationDto;

  /** The notification as it was when the editing began. Left out or null: it did not exist. */
  @Optional()
  @OrNull()
  @IsObject()
  @ApiProperty({ type: EditedNotificationDto, required: false, nullable: true, example: null })
  base?: EditedNotificationDto | null;

  /**
   * The `ETag` of the notification at that time.
   * @example '"n5Yc0k1Q2r8f4Wz7Xb3JdA"'
   */
  @Optional()
  @OrNull()
  @IsString()
  @MaxLength(100)
  @ApiProperty({ type: String, required: false, nullable: true })
  base_etag?: string | null;
}

export class CreateDraftDto extends PutDraftDto {
  /**
   * The id of the notification that it changes, or a name of one that does not exist yet: `new`, or `new-` with letters and digits.
   * @example 'new'
   */
  @Matches(DRAFT_NAME, {
    message: 'must be the id of a notification, or new, or new- with up to 20 letters and digits',
  })
  @ApiProperty({ pattern: DRAFT_NAME.source })
  draft: string;
}

/** What somebody has begun to change about a notification. Nothing of it is sent. */
export class DraftContentDto extends PickType(DraftDto, ['draft', 'name', 'saved_by', 'saved_at']) {
  /** The fields of the notification as they are in the draft. They need not be valid. */
  @ApiProperty({ type: EditedNotificationDto, example: EDITED })
  notification: object;

  /** The notification as it was when the editing began; null: it did not exist. */
  @ApiProperty({ type: EditedNotificationDto, nullable: true, example: null })
  base: object | null;

  /**
   * The `ETag` of the notification at that time.
   * @example '"n5Yc0k1Q2r8f4Wz7Xb3JdA"'
   */
  @ApiProperty({ type: String, nullable: true })
  base_etag: string | null;
}
