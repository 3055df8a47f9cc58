import { expect, it } from '@jest/globals';
import { isPublicUrl, reportPath } from './report-url.js';

it.each([
  ['https://notify.acme.test', true],
  ['https://notify.acme.test:8443/carillon', true],
  ['https://93.184.215.14', true],
  ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]', true],
  ['http://localhost:3000', false],
  ['https://carillon', false],
  ['https://carillon.localhost', false],
  ['https://carillon.internal', false],
  ['https://10.0.0.7', false],
  ['https://127.0.0.1', false],
  ['https://[::1]', false],
  ['https://[fd00::1]', false],
])('whether a provider could reach %s is %p', (url, expected) => {
  expect(isPublicUrl(url)).toBe(expected);
});

it('names the project of a channel that has one', () => {
  expect(reportPath('acme', null, 'sms')).toBe('/reports/acme/sms');
  expect(reportPath('acme', 'shop', 'sms')).toBe('/reports/acme/shop/sms');
});
