import { registerDecorator } from 'class-validator';

/**
 * Texts are counted in code points everywhere, as JSON Schema counts them in the contract and in files: an emoji is one character. JavaScript
 * counts two for it, and class-validator leaves out the invisible characters that choose its style.
 */
export function lengthOf(text: string): number {
  let length = text.length;
  // Only a text with surrogates is longer in JavaScript. Nearly none has any.
  for (let i = 0; i < text.length - 1; i++) if (isPair(text, i)) length--;
  return length;
}

const isPair = (text: string, i: number) =>
  (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;

// Named as those of class-validator: the contract takes the limits of a field from them.

export const MaxLength = (max: number): PropertyDecorator =>
  limit(
    'maxLength',
    (value) => typeof value === 'string' && lengthOf(value) <= max,
    `must be shorter than or equal to ${max} characters`,
  );

export const Length = (min: number, max: number): PropertyDecorator => {
  const least = limit(
    'minLength',
    (value) => typeof value !== 'string' || lengthOf(value) >= min,
    `must be longer than or equal to ${min} characters`,
  );
  const most = MaxLength(max);
  // Not by applyDecorators: a short command of the command line counts characters too, and would load Nest.
  return (target, propertyName) => {
    least(target, propertyName);
    most(target, propertyName);
  };
};

const limit =
  (name: string, validate: (value: unknown) => boolean, sentence: string): PropertyDecorator =>
  (target, propertyName) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      validator: { validate, defaultMessage: () => sentence },
    });
