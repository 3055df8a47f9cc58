import { ApiProperty } from '@nestjs/swagger';
import type { DeliveryStatus } from '../../platform/database/generated/prisma/enums.js';
import { DEVICE_OUTCOMES } from '../../rules/device/device-result.js';
import type { DeviceOutcome, DeviceResult } from '../../rules/device/device-result.js';

const SHOWN_OUTCOMES = [...DEVICE_OUTCOMES, 'given_up'] as const;

/** What became of a message on one device of its user. */
export class DeviceResultDto {
  /** @example 'com.example.shop' */
  app: string;

  /** @example '3f2a9c1e-5b7d-4e8a-9c3b-1d2e3f4a5b6c' */
  device: string;

  /** @example 'ios' */
  platform: string;

  /**
   * What the user called it then.
   * @example 'iPhone of Ann'
   */
  name: string;

  /**
   * `sent`: the provider accepted the message; `retry`: it failed and is tried again; `given_up`: it failed, and was not tried again; `gone`: the provider
   * knows no such device any more, and it was removed from the devices of the user; `set_aside`: the provider refused the device, which gets no messages
   * until its app registers it again; `rejected`: the provider refused this message.
   * @example 'sent'
   */
  @ApiProperty({ enum: SHOWN_OUTCOMES })
  outcome: DeviceOutcome | 'given_up';

  /**
   * The provider's answer.
   * @example '200'
   */
  answer: string;

  /**
   * When it answered.
   * @example '2030-01-01T08:00:02.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** The results of a delivery with this status. Null: it did not go to devices. */
export const shownDevices = (results: DeviceResult[] | null, status: DeliveryStatus): DeviceResultDto[] | null =>
  results?.map(({ app, device, platform, name, outcome, answer, at }) => ({
    ...{ app, device, platform, name, answer, at },
    outcome: outcome === 'retry' && status !== 'pending' ? 'given_up' : outcome,
  })) ?? null;
