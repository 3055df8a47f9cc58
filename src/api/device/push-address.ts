import { createHash } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { addAll, hasErrors } from '../../platform/field/error/field-error.js';
import type { AddError } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { checkFields } from '../../platform/http/body/check-fields.js';
import { ApnsAddressDto, ExpoAddressDto, FcmAddressDto, WebpushAddressDto, WebpushKeysDto } from './device.dto.js';
import type { DeviceKind } from '../../rules/device/device-result.js';
import type { PutDeviceDto } from './device.dto.js';

const MAX_BYTES = 1900;

/** What a device is reached by, as an address of its user: `name` is the kind. */
export interface PushAddress {
  name: DeviceKind;
  value: string;
}

type AddressFields = Pick<PutDeviceDto, DeviceKind>;

const READERS: Record<DeviceKind, (value: unknown, addError: AddError) => string> = {
  fcm: (value, addError) => {
    const read = checked(FcmAddressDto, 'fcm', value, addError);
    if (read && (read.token === undefined) === (read.fid === undefined))
      addError('fcm', read.token === undefined ? 'required' : 'not_allowed', 'must have either token or fid');
    return read?.token ?? `fid:${read?.fid ?? ''}`;
  },
  apns: (value, addError) => {
    const read = checked(ApnsAddressDto, 'apns', value, addError);
    return read?.token.toLowerCase() ?? '';
  },
  expo: (value, addError) => checked(ExpoAddressDto, 'expo', value, addError)?.token ?? '',
  webpush: (value, addError) => {
    const read = checked(WebpushAddressDto, 'webpush', value, addError);
    if (read && !isHttps(read.endpoint)) addError('webpush.endpoint', 'invalid_format', 'must be a URL with https');
    const keys = read && checked(WebpushKeysDto, 'webpush.keys', read.keys, addError);
    return keys ? JSON.stringify({ endpoint: read.endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }) : '';
  },
};

const KINDS = Object.keys(READERS) as DeviceKind[];

/** The one address of a device. The result is meaningful only if no error was added. */
export function readPushAddress(fields: AddressFields, addError: AddError): PushAddress {
  const [name, ...others] = KINDS.filter((kind) => fields[kind] !== undefined);
  for (const other of others)
    addError(other, 'not_allowed', `must be left out: a device has one address, and ${name} is one`);
  if (!name) {
    addError('address', 'required', `is missing: a device needs one of ${KINDS.join(', ')}`);
    return { name: 'webpush', value: '' };
  }
  const value = READERS[name](fields[name], addError);
  if (Buffer.byteLength(value) > MAX_BYTES) addError(name, 'too_long', `must be at most ${MAX_BYTES} bytes long`);
  return { name, value };
}

/** Tells addresses of an organization apart. */
export const hashOf = ({ name, value }: PushAddress): string =>
  createHash('sha256').update(`${name}\n${value}`).digest('hex');

/**
 * For `like`: the same address, however it was written. Browsers write the endpoint of a subscription first, and other keys for the same endpoint
 * replace the ones before.
 */
export function patternOf({ name, value }: PushAddress): string {
  if (name !== 'webpush') return escaped(value);
  const { endpoint } = JSON.parse(value) as { endpoint: string };
  return `${escaped(JSON.stringify({ endpoint }).slice(0, -1))}%`;
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const isHttps = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:';

/** Null: errors were added. */
function checked<Dto extends object>(dto: Type<Dto>, field: string, value: unknown, addError: AddError): Dto | null {
  if (!isObject(value)) {
    addError(field, 'invalid_type', 'must be an object');
    return null;
  }
  const errors = checkFields(dto, value);
  addAll(errors, `${field}.`, addError);
  return hasErrors(errors) ? null : (value as Dto);
}
