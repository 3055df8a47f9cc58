import { expect, it } from '@jest/globals';
import { planText } from './plan.js';

it('names each change, and each field of it before and after', () => {
  const text = planText([
    { verb: 'create', noun: 'event', name: 'acme/shop/web/paid' },
    {
      verb: 'update',
      noun: 'channel',
      name: 'acme/mail',
      differences: [
        { field: 'enabled', before: true, after: false },
        { field: 'config.port', before: null, after: 25 },
        { field: 'config.password' },
      ],
    },
    { verb: 'create', noun: 'address', name: 'acme', count: 2 },
    { verb: 'delete', noun: 'user', name: 'acme', count: 1202, people: ['ann@acme.test', 'b\u001b@acme.test'] },
    { verb: 'delete', noun: 'member', name: 'acme/shop/Staff', count: 1, people: ['ann@acme.test'] },
  ]);
  expect(text).toBe(
    [
      'create event acme/shop/web/paid',
      'update channel acme/mail',
      '    enabled: true -> false',
      '    config.port: (none) -> 25',
      '    config.password: changed (a secret)',
      'create 2 addresses in acme',
      'delete 1,202 users in acme',
      '    ann@acme.test',
      '    b\\x1b@acme.test',
      '    and 1,200 more',
      'delete 1 member in acme/shop/Staff',
      '    ann@acme.test',
    ].join('\n'),
  );
});

it('shows only the lines that differ of a long text', () => {
  const [before, after] = ['Hi\nold\nBye', 'Hi\nnew\nnewer\nBye'];
  const differences = [{ field: 'templates.mail.text', before, after }];
  const text = planText([{ verb: 'update', noun: 'notification', name: 'N', differences }]);
  expect(text.split('\n').slice(1)).toEqual([
    '    templates.mail.text:',
    '      - old',
    '      + new',
    '      + newer',
  ]);
});

it('shows a text that was doubled, or emptied', () => {
  const lines = (before: string, after: string) =>
    planText([{ verb: 'update', noun: 'x', name: 'y', differences: [{ field: 'f', before, after }] }]).split('\n');
  expect(lines('a\na', 'a\na\na').slice(2)).toEqual(['      + a']);
  expect(lines('a\nb', '').slice(2)).toEqual(['      - a', '      - b', '      + ']);
});
