import { isObject } from '../../../platform/field/is-object.js';
import type { FilePlace } from '../read/place.js';
import { anyValue, textValue, type KnownNames, type Variables, type Value } from '../value.js';
import { multipartBody, type Part } from './multipart.js';

interface Body {
  /** Empty: there is no body. */
  type: string;
  body: string | Uint8Array;
}

export type MakeBody = (names: Variables) => Body;

/** The keys of a request that describe its body. At most one of them is there. */
export const BODY_KEYS = ['json', 'form', 'multipart', 'mime'] as const;

export function readBody(place: FilePlace, known: KnownNames): MakeBody {
  const given = BODY_KEYS.filter((key) => place.at(key));
  if (given.length > 1) place.fail(`must have one of ${given.join(' and ')}`);
  const [kind] = given;
  if (kind === undefined) return () => ({ type: '', body: '' });
  const of = place.need(kind);
  if (kind === 'json') return jsonBody(anyValue(of, known));
  if (kind === 'form') return formBody(fieldsOf(of, known));
  if (kind === 'multipart') return filesBody(of, known);
  if (!of.isTrue()) of.fail('must be true');
  return (names) => ({ type: 'message/rfc822', body: names.mime as Buffer });
}

const jsonBody =
  (make: Value): MakeBody =>
  (names) => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(make(names) ?? {}) });

type Fields = (names: Variables) => [name: string, value: string][];

/** A field with a list is repeated. */
function fieldsOf(place: FilePlace, known: KnownNames): Fields {
  place.entries();
  const make = anyValue(place, known);
  return (names) =>
    Object.entries(Object(make(names)) as Record<string, unknown>).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, fieldText(each)]),
    );
}

const fieldText = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);

const formBody =
  (fields: Fields): MakeBody =>
  (names) => ({ type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields(names)).toString() });

/** Fields, and the composed mail as a file: `{ $file: mime, filename: ... }`. */
function filesBody(place: FilePlace, known: KnownNames): MakeBody {
  const parts = place.entries().map(([name, field]): ((names: Variables) => Part[]) => {
    const file = isObject(field.value) ? field.at('$file') : null;
    if (!file) {
      const make = anyValue(field, known);
      return (names) =>
        [make(names)]
          .flat()
          .flatMap((value) =>
            value === '' || value === null || value === undefined ? [] : [{ name, content: fieldText(value) }],
          );
    }
    file.oneOf(['mime']);
    const filename = textValue(field.only(['$file', 'filename']).need('filename'), known);
    return (names) => [
      { name, filename: String(filename(names)), type: 'message/rfc822', content: names.mime as Buffer },
    ];
  });
  return (names) => multipartBody(parts.flatMap((part) => part(names)));
}
