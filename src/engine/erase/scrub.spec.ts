import { expect, it } from '@jest/globals';
import { scrubberOf } from './scrub.js';

const scrub = <Value>(value: Value) => scrubberOf(['bob@acme.test', '+15551234567', '42'])!.scrub(value);

it('takes addresses out of texts, lists and the names of fields, in any case', () => {
  expect(
    scrub({
      to: 'BOB@acme.test',
      cc: ['ann@acme.test', 'Bob <bob@acme.test>'],
      n: 1,
      none: null,
      'bob@acme.test': true,
    }),
  ).toEqual({ to: '[erased]', cc: ['ann@acme.test', 'Bob <[erased]>'], n: 1, none: null, '[erased]': true });
  expect(scrub('call +15551234567.')).toBe('call [erased].');
});

it('leaves longer addresses alone that contain one', () => {
  const others = ['jim-bob@acme.test', 'jim.bob@acme.test', 'bob@acme.test.example', '+155512345678'];
  expect(scrub(others)).toEqual(others);
});

it('leaves short values alone, which could be anything', () => {
  expect(scrub('42 orders')).toBe('42 orders');
  expect(scrubberOf(['42'])).toBeNull();
});

it('makes patterns that take % and _ literally', () => {
  expect(scrubberOf(['bob_1@acme.test'])!.patterns).toEqual(['%bob\\_1@acme.test%']);
});
