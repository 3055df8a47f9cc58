import { ApiProperty } from '@nestjs/swagger';
import { Allow, IsString, Matches } from 'class-validator';
import { DEVICE_KINDS } from '../../rules/device/device-result.js';
import type { DeviceKind } from '../../rules/device/device-result.js';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { NAME_MAX_LENGTH } from '../../platform/field/slug.js';
import { Length, MaxLength } from '../../platform/field/text-length.js';

const PLATFORMS = ['ios', 'android', 'web', 'other'] as const;
export type Platform = (typeof PLATFORMS)[number];

const ENVIRONMENTS = ['production', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface DeviceRow {
  /** Of its address: the list is in this order. */
  id: number;
  app: string;
  device: string;
  platform: Platform;
  addressKind: DeviceKind;
  environment: Environment | null;
  name: string;
  locale: string | null;
  timeZone: string | null;
  appVersion: string;
  createdAt: Date | null;
  lastSeenAt: Date | null;
  problem: string | null;
}

/** A phone, a tablet or a browser of a user. The address itself is not shown. */
export class DeviceDto {
  /**
   * The app on the device, such as its bundle id. `webpush`: a subscription of a browser that was added as an address.
   * @example 'com.example.shop'
   */
  app: string;

  /**
   * Given by the app.
   * @example '3f2a9c1e-5b7d-4e8a-9c3b-1d2e3f4a5b6c'
   */
  device: string;

  /** @example 'ios' */
  @ApiProperty({ enum: PLATFORMS })
  platform: Platform;

  /**
   * The kind of its address, which the channels `fcm`, `apns`, `expo` and `webpush` need.
   * @example 'apns'
   */
  @ApiProperty({ enum: DEVICE_KINDS })
  address_kind: DeviceKind;

  /**
   * Of a token for APNs; null: another kind of address.
   * @example 'production'
   */
  @ApiProperty({ enum: ENVIRONMENTS, type: String, nullable: true })
  environment: Environment | null;

  /** @example 'iPhone of Ann' */
  name: string;

  /** @example 'de-AT' */
  @ApiProperty({ type: String, nullable: true })
  locale: string | null;

  /** @example 'Europe/Vienna' */
  @ApiProperty({ type: String, nullable: true })
  time_zone: string | null;

  /** @example '4.2.0' */
  app_version: string;

  /**
   * When it was registered for this user; null: it was added as an address.
   * @example '2030-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  created_at: string | null;

  /**
   * When the app registered it last; null: it was added as an address.
   * @example '2030-01-08T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  last_seen_at: string | null;

  /**
   * Why it gets no messages: the words with which its provider refused it. Null: it gets them. It gets them again when the app registers it.
   */
  @ApiProperty({ type: String, nullable: true, example: null })
  problem: string | null;

  static from(row: DeviceRow): DeviceDto {
    const { app, device, platform, environment, name, locale, problem } = row;
    return {
      ...{ app, device, platform, address_kind: row.addressKind, environment, name, locale },
      ...{ time_zone: row.timeZone, app_version: row.appVersion },
      ...{ created_at: row.createdAt?.toISOString() ?? null, last_seen_at: row.lastSeenAt?.toISOString() ?? null },
      problem,
    };
  }
}

/** Exactly one of the two: Firebase replaces tokens by the ids of installations. */
export class FcmAddressDto {
  /**
   * The registration token.
   * @example 'dGVzdA:APA91bFzS5'
   */
  @Optional()
  @IsString()
  @Length(1, 1500)
  @Matches(/^(?!fid:)[\x21-\x7e]*$/, { message: 'must be a registration token, without spaces' })
  token?: string;

  /**
   * The id of the Firebase installation.
   * @example 'c1a2b3d4e5f6g7h8i9j0k1'
   */
  @Optional()
  @IsString()
  @Length(1, 200)
  @Matches(/^[\w-]*$/, { message: 'must be the id of an installation: letters, digits, - and _' })
  fid?: string;
}

export class ApnsAddressDto {
  /**
   * The device token, in hexadecimal digits.
   * @example '8f3c1a5e7b9d2f4a6c8e0b1d3f5a7c9e8f3c1a5e7b9d2f4a6c8e0b1d3f5a7c9e'
   */
  @IsString()
  @Length(16, 400)
  @Matches(/^([0-9a-fA-F]{2})*$/, { message: 'must be a device token in hexadecimal digits' })
  token: string;

  /**
   * Whether the app was built for distribution or for development. A token works in its own environment only: a channel `apns` that is set to the other one
   * does not reach it.
   * @example 'production'
   */
  @ApiProperty({ enum: ENVIRONMENTS })
  @IsOneOf(ENVIRONMENTS)
  environment: Environment;
}

export class ExpoAddressDto {
  /**
   * The push token that Expo gives.
   * @example 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]'
   */
  @IsString()
  @Length(1, 200)
  @Matches(/^Expo(nent)?PushToken\[[!-Z^-~]+\]$/, {
    message: 'must be a token such as ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]',
  })
  token: string;
}

export class WebpushKeysDto {
  /** @example 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM' */
  @IsString()
  @Length(1, 200)
  @Matches(/^[\w+/=-]*$/, { message: 'must be base64' })
  p256dh: string;

  /** @example 'tBHItJI5svbpez7KI4CCXg' */
  @IsString()
  @Length(1, 100)
  @Matches(/^[\w+/=-]*$/, { message: 'must be base64' })
  auth: string;
}

/** A push subscription, as `JSON.stringify(subscription)` writes it in a browser. */
export class WebpushAddressDto {
  /** @example 'https://push.example.com/send/abc' */
  @ApiProperty({ pattern: '^https://' })
  @IsString()
  @Length(1, 1500)
  endpoint: string;

  /**
   * Not used: a push service says when a subscription has ended.
   */
  @ApiProperty({ type: Number, nullable: true, example: null })
  @Allow()
  expirationTime?: number | null;

  @ApiProperty({ type: WebpushKeysDto })
  @Allow()
  keys: WebpushKeysDto;
}

/** Exactly one of `fcm`, `apns`, `expo` and `webpush`. Other fields that you leave out are emptied. */
// `readDevice` checks the addresses, the locale and the time zone.
export class PutDeviceDto {
  /** @example 'ios' */
  @ApiProperty({ enum: PLATFORMS })
  @IsOneOf(PLATFORMS)
  platform: Platform;

  /** An address for Firebase Cloud Messaging. */
  @ApiProperty({ type: FcmAddressDto })
  @Allow()
  fcm?: FcmAddressDto;

  /** An address for the Apple Push Notification service. */
  @ApiProperty({ type: ApnsAddressDto })
  @Allow()
  apns?: ApnsAddressDto;

  /** An address for the push service of Expo. */
  @ApiProperty({ type: ExpoAddressDto })
  @Allow()
  expo?: ExpoAddressDto;

  /** The push subscription of a browser. */
  @ApiProperty({ type: WebpushAddressDto })
  @Allow()
  webpush?: WebpushAddressDto;

  /**
   * What the user calls the device.
   * @example 'iPhone of Ann'
   */
  @Optional()
  @IsString()
  @MaxLength(NAME_MAX_LENGTH)
  name?: string;

  /**
   * The language and region of the device.
   * @example 'de-AT'
   */
  @ApiProperty({ type: String, nullable: true })
  @Allow()
  locale?: string | null;

  /**
   * The IANA name of the device's time zone.
   * @example 'Europe/Vienna'
   */
  @ApiProperty({ type: String, nullable: true })
  @Allow()
  time_zone?: string | null;

  /** @example '4.2.0' */
  @Optional()
  @IsString()
  @MaxLength(50)
  app_version?: string;
}
