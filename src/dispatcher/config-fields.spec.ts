import { describe, expect, it } from '@jest/globals';
import { pick } from '../platform/field/error/field-error.js';
import { checkConfig } from './config-fields.js';
import type { ConfigField } from './dispatcher.js';

const fields: ConfigField[] = [
  { key: 'host', label: 'Host', kind: 'string', required: true, secret: false },
  { key: 'port', label: 'Port', kind: 'integer', required: false, secret: false, min: 1, max: 65535 },
  { key: 'tries', label: 'Tries', kind: 'integer', required: false, secret: false },
  { key: 'least', label: 'Least', kind: 'integer', required: false, secret: false, min: 3 },
  { key: 'most', label: 'Most', kind: 'integer', required: false, secret: false, max: 3 },
  { key: 'strict', label: 'Strict', kind: 'boolean', required: false, secret: false },
  { key: 'mode', label: 'Mode', kind: 'choice', required: false, secret: false, choices: ['on', 'off'] },
  { key: 'url', label: 'URL', kind: 'url', required: false, secret: false },
  { key: 'code', label: 'Code', kind: 'string', required: false, secret: true, min: 2, max: 4 },
];

const errorsOf = (config: Record<string, unknown>) => {
  const checked = checkConfig(fields, { host: 'a.test', ...config });
  return 'errors' in checked ? pick(checked.errors, 'sentence') : null;
};

describe('the settings of a channel', () => {
  it('are accepted when every value fits its field', () => {
    const config = { host: 'a.test', port: 25, strict: false, mode: 'on', url: 'https://a.test/x?y=1', code: 'abc' };
    expect(checkConfig(fields, config)).toEqual({ config });
  });

  it('leave out null and empty values', () => {
    expect(checkConfig(fields, { host: 'a.test', port: null, mode: '', code: undefined })).toEqual({
      config: { host: 'a.test' },
    });
  });

  it.each([undefined, null, ''])('report a required one that is %p', (host) => {
    expect(errorsOf({ host })).toEqual({ host: ['is required'] });
  });

  it('name every unknown key, whatever it is called', () => {
    const config = JSON.parse('{"host": "a", "hots": "a", "__proto__": "b", "constructor": "c"}') as Record<
      string,
      unknown
    >;
    const checked = checkConfig(fields, config);
    expect('errors' in checked && Object.keys(checked.errors)).toEqual(['hots', '__proto__', 'constructor']);
  });

  it('ignore inherited properties', () => {
    const checked = checkConfig(fields, Object.create({ host: 'a.test' }) as Record<string, unknown>);
    expect(checked).toEqual({ errors: { host: [{ code: 'required', sentence: 'is required' }] } });
  });

  it.each([
    ['host', 1, 'must be a string'],
    ['host', ['a'], 'must be a string'],
    ['host', ' ', 'must not be blank'],
    ['host', 'a\r\nb', 'must not contain line breaks or other control characters'],
    ['host', 'a\nb', 'must not contain line breaks or other control characters'],
    ['host', 'a\0b', 'must not contain line breaks or other control characters'],
    ['host', 'a\ud800b', 'must not contain line breaks or other control characters'],
    ['host', 'a'.repeat(2001), 'must have at most 2000 characters'],
    ['code', 'a', 'must have at least 2 characters'],
    ['code', 'abcde', 'must have at most 4 characters'],
    ['port', 0, 'must be a whole number from 1 to 65535'],
    ['port', 65536, 'must be a whole number from 1 to 65535'],
    ['port', 1.5, 'must be a whole number from 1 to 65535'],
    ['port', '25', 'must be a whole number from 1 to 65535'],
    ['port', NaN, 'must be a whole number from 1 to 65535'],
    ['tries', 'x', 'must be a whole number'],
    ['least', 2, 'must be a whole number of at least 3'],
    ['most', 4, 'must be a whole number of at most 3'],
    ['strict', 'true', 'must be true or false'],
    ['strict', 0, 'must be true or false'],
    ['mode', 'maybe', 'must be one of on, off'],
    ['mode', 1, 'must be one of on, off'],
    ['url', 'a.test', 'must be a URL that starts with http:// or https://'],
    ['url', 'ftp://a.test', 'must be a URL that starts with http:// or https://'],
    ['url', 'file:///etc/passwd', 'must be a URL that starts with http:// or https://'],
    ['url', 'http://ann:pw@a.test', 'must not contain a user name or password'],
    ['url', 5, 'must be a string'],
  ])('refuse %s = %p', (key, value, sentence) => {
    expect(errorsOf({ [key]: value })).toEqual({ [key]: [sentence] });
  });

  it('report every wrong one at once', () => {
    expect(Object.keys(errorsOf({ port: 0, mode: 'x', other: 1 }) ?? {}).sort()).toEqual(['mode', 'other', 'port']);
  });
});
