import { expect, it } from '@jest/globals';
import { parseForm } from './form-body.js';

const fields = (text: string, type: string) => [...parseForm(Buffer.from(text), type)];

it('reads a form as browsers send it', () => {
  const type = 'application/x-www-form-urlencoded; charset=utf-8';
  expect(fields('a=1&a=2&b=x+y%C3%BC', type)).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', 'x yü'],
  ]);
});

it('reads a form in parts, as some mail programs send it', () => {
  const body =
    '--x y\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n' +
    '--x y\r\ncontent-disposition: form-data; name="b"\r\nContent-Type: text/plain\r\n\r\nü\r\n\r\n2\r\n' +
    '--x y\r\nContent-Disposition: form-data; name="c"; filename="c.txt"\r\n\r\nfile\r\n--x y--\r\n';
  expect(fields(body, 'multipart/form-data; boundary="x y"')).toEqual([
    ['List-Unsubscribe', 'One-Click'],
    ['b', 'ü\r\n\r\n2'],
  ]);
});

it.each([
  ['', ''],
  ['{"a":1}', 'application/json'],
  ['a=1', 'text/plain'],
  ['--x\r\n\r\n', 'multipart/form-data; boundary=x'],
  ['a=1', 'multipart/form-data'],
])('takes %j of the type %j for an empty form', (text, type) => {
  expect(fields(text, type)).toEqual([]);
});
