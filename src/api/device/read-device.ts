import type { AddError } from '../../platform/field/error/field-error.js';
import { readUserSettings } from '../settings/read-settings.js';
import type { Environment, Platform, PutDeviceDto } from './device.dto.js';
import { readPushAddress } from './push-address.js';
import type { PushAddress } from './push-address.js';

/** How an organization tells its devices apart. */
export interface DeviceIdentity {
  app: string;
  device: string;
}

/** A device in its stored form. */
export interface DeviceFields {
  address: PushAddress;
  platform: Platform;
  environment: Environment | null;
  name: string;
  locale: string | null;
  timeZone: string | null;
  appVersion: string;
}

const APP = /^[A-Za-z0-9][\w.-]{0,99}$/;
const DEVICE = /^[\w.:~-]{1,200}$/;

/** The app of browsers that were added as addresses, in lists. Their device is the id of the address. */
export const ADDED_BROWSER = 'webpush';

export function checkIdentity({ app, device }: DeviceIdentity, addError: AddError): void {
  if (app === ADDED_BROWSER)
    addError('bundle', 'not_allowed', 'means browsers that were added as addresses: choose another app');
  else if (!APP.test(app))
    addError(
      'bundle',
      'invalid_format',
      'must have 1 to 100 letters, digits, -, _ and dots, and start with a letter or digit',
    );
  if (!DEVICE.test(device))
    addError('device', 'invalid_format', 'must have 1 to 200 letters, digits, -, _, :, ~ and dots');
}

/** `zones`: see `knownTimeZones`. The result is meaningful only if no error was added. */
export function readDevice(body: PutDeviceDto, zones: ReadonlyMap<string, string>, addError: AddError): DeviceFields {
  const { locale, timeZone } = readUserSettings({ locale: body.locale, time_zone: body.time_zone }, zones, addError);
  return {
    address: readPushAddress(body, addError),
    ...{ platform: body.platform, environment: body.apns?.environment ?? null },
    ...{ name: body.name?.trim() ?? '', appVersion: body.app_version?.trim() ?? '' },
    ...{ locale: locale ?? null, timeZone: timeZone ?? null },
  };
}
