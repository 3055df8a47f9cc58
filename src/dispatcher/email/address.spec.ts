import { describe, expect, it } from '@jest/globals';
import { parseAddress, parseMailbox } from './address.js';

describe('one e-mail address', () => {
  it.each([
    ['ann@acme.test', 'ann@acme.test'],
    ['Ann.Lee+x@ACME.test', 'Ann.Lee+x@acme.test'],
    ['root@localhost', 'root@localhost'],
    ["o'neil_%&=!#$*/?^`{|}~-@a.test", "o'neil_%&=!#$*/?^`{|}~-@a.test"],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['jörg@acme.test', 'jörg@acme.test'],
    [`${'a'.repeat(64)}@a.test`, `${'a'.repeat(64)}@a.test`],
  ])('%s is %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it.each([
    '',
    'ann',
    '@acme.test',
    'ann@',
    'ann@@acme.test',
    'a@b@c.test',
    'ann@acme..test',
    'ann@.acme.test',
    'ann@-acme.test',
    'ann@acme_x.test',
    'ann@[127.0.0.1]',
    'ann@acme.test:25',
    'ann@acme.test/x',
    'ann@acme%2etest',
    '.ann@acme.test',
    'ann.@acme.test',
    'a..b@acme.test',
    'ann lee@acme.test',
    ' ann@acme.test',
    'ann@acme.test ',
    '"ann"@acme.test',
    '"a,b@x.test"@acme.test',
    'ann@acme.test,bob@acme.test',
    'ann@acme.test, bob@acme.test',
    'ann,bob@acme.test',
    'ann;bob@acme.test',
    'ann@acme.test;bob@acme.test',
    '<ann@acme.test>',
    'Ann <ann@acme.test>',
    'ann@acme.test> RCPT TO:<bob@acme.test',
    'ann(comment)@acme.test',
    'ann\\@acme.test',
    'ann@acme.test\r\nBcc: bob@acme.test',
    'ann@acme.test\nBcc: bob@acme.test',
    'ann\r@acme.test',
    'ann\n@acme.test',
    'ann@acme.test\r',
    'ann@acme.test\n',
    'ann\0@acme.test',
    'ann@acme.test\0',
    'ann@acme\u2028.test',
    'ann\u2028@acme.test',
    'ann\ud800@acme.test',
    `${'a'.repeat(65)}@a.test`,
    `ann@${'a.'.repeat(130)}test`,
    `ann@${'a'.repeat(64)}.test`,
    `${'a'.repeat(60)}@${'a.'.repeat(100)}test`,
  ])('is not %p', (text) => {
    expect(parseAddress(text)).toBeNull();
  });
});

describe('a sender', () => {
  it.each([
    ['no-reply@acme.test', '', 'no-reply@acme.test'],
    ['<no-reply@acme.test>', '', 'no-reply@acme.test'],
    ['Acme <no-reply@acme.test>', 'Acme', 'no-reply@acme.test'],
    [' Acme Inc  <no-reply@acme.test> ', 'Acme Inc', 'no-reply@acme.test'],
    ['"Acme, \\"the\\" Inc" <a@acme.test>', 'Acme, "the" Inc', 'a@acme.test'],
    ['Größe, AG <a@acme.test>', 'Größe, AG', 'a@acme.test'],
  ])('%s is read', (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address });
  });

  it.each([
    'Acme',
    'Acme <>',
    'a@acme.test, b@acme.test',
    'A <a@acme.test>, B <b@acme.test>',
    'A <a@acme.test> B <b@acme.test>',
    'A <a@acme.test,b@acme.test>',
    '"A <a@acme.test>',
    'A\r\nBcc: x <a@acme.test>',
    'A\nB <a@acme.test>',
    'A\rB <a@acme.test>',
    'A\0B <a@acme.test>',
    '"A\r\nBcc: x" <a@acme.test>',
    'A <a@acme.test\r\n>',
  ])('%p is not valid', (text) => {
    expect(parseMailbox(text)).toBeNull();
  });
});
