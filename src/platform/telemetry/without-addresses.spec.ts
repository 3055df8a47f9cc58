import { expect, it } from '@jest/globals';
import { withoutAddresses } from './without-addresses.js';

it.each([
  ['550 5.1.1 <bob@acme.test>: User unknown', '550 5.1.1 <[address]>: User unknown'],
  ['no such user bob+news@mail.acme.test', 'no such user [address]'],
  ['The number +1 (555) 123-4567 is unsubscribed', 'The number [address] is unsubscribed'],
  ['To: +15551234567, from +4930123456', 'To: [address], from [address]'],
])('hides the addresses in "%s"', (text, hidden) => expect(withoutAddresses(text)).toBe(hidden));

it.each(['421 4.7.0 try again in 300 s', 'answered 503 after 1+2 tries', 'HTTP 400: order A-17 of 2026-11-17'])(
  'leaves "%s" alone',
  (text) => expect(withoutAddresses(text)).toBe(text),
);
