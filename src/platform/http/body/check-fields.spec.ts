import { expect, it } from '@jest/globals';
import { IsString } from 'class-validator';
import { checkFields } from './check-fields.js';

class NoteDto {
  @IsString()
  text: string;
}

const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, 1]));

it('names the first hundred of many unknown fields, and every known field that is wrong', () => {
  const errors = checkFields(NoteDto, { ...unknown(500), text: 1 });
  expect([Object.keys(errors).length, errors.text]).toEqual([
    101,
    [{ code: 'invalid_type', sentence: 'must be a string' }],
  ]);
});

it('names unknown fields that every object inherits', () => {
  expect(checkFields(NoteDto, { text: 'x', toString: 1 })).toEqual({
    toString: [{ code: 'unknown_field', sentence: 'is not a known field. Known: text' }],
  });
});
