import { describe, expect, it } from '@jest/globals';
import { templateProblem } from './template-problem.js';
import type { FoundTemplate, MessageTemplate } from './template-problem.js';

const FOUND: FoundTemplate = {
  ...{ name: 'paid', language: 'en_US', status: 'APPROVED', isApproved: true },
  ...{ header: 'Order {{1}}', body: 'Hi {{1}}, {{2}} of {{1}}', buttons: ['', 'https://acme.test/{{1}}'], others: [] },
};
const NAMED: FoundTemplate = { ...FOUND, header: '', body: '{{ order }} costs {{total}}', buttons: [] };

const problemOf = (parameters: MessageTemplate['parameters'], ...found: FoundTemplate[]) =>
  templateProblem({ name: 'paid', language: 'en_US', parameters }, found);

const FITS = { header: ['{{ order }}'], body: ['a', 'b'], buttons: [null, 'c'] };

describe('a template of a provider', () => {
  it('fits if it has the parameters that the notification gives', () => {
    expect(problemOf(FITS, FOUND)).toBeNull();
    expect(problemOf({ body: { total: 'a', order: 'b' } }, NAMED)).toBeNull();
    expect(problemOf(undefined, { ...NAMED, body: 'Hello' })).toBeNull();
    expect(problemOf({ header: [], body: [], buttons: [null] }, { ...NAMED, body: '' })).toBeNull();
  });

  it.each<[string, MessageTemplate['parameters'], FoundTemplate[], string]>([
    ['is missing', FITS, [], 'the provider has no template paid'],
    ['has another name', FITS, [{ ...FOUND, name: 'paid_2' }], 'the provider has no template paid'],
    [
      'is in other languages',
      FITS,
      [
        { ...FOUND, language: 'de' },
        { ...FOUND, language: 'en' },
      ],
      'the provider has paid in de, en, but not in en_US',
    ],
    [
      'waits for its approval',
      FITS,
      [{ ...FOUND, isApproved: false, status: 'PENDING' }],
      'the provider has not approved paid in en_US: it is PENDING',
    ],
    [
      'has a picture',
      FITS,
      [{ ...FOUND, others: ['HEADER IMAGE', 'CAROUSEL'] }],
      'paid in en_US has parts that messages cannot fill: HEADER IMAGE, CAROUSEL',
    ],
    [
      'takes more in its body',
      { ...FITS, body: ['a'] },
      [FOUND],
      'paid in en_US: its body takes 2 parameters by position, and the notification gives 1 by position',
    ],
    [
      'takes none in its header',
      FITS,
      [{ ...FOUND, header: '' }],
      'paid in en_US: its header takes no parameters, and the notification gives 1 by position',
    ],
    [
      'takes them by name',
      { body: ['a', 'b'] },
      [NAMED],
      'paid in en_US: its body takes the parameters order, total by name, and the notification gives 2 by position',
    ],
    [
      'takes them by position',
      { ...FITS, body: { a: 'a', b: 'b' } },
      [FOUND],
      'paid in en_US: its body takes 2 parameters by position, and the notification gives a, b by name',
    ],
    [
      'has other names',
      { body: { order: 'a', sum: 'b' } },
      [NAMED],
      'paid in en_US: its body takes the parameters order, total by name, and the notification gives order, sum by name',
    ],
    [
      'needs the value of a button',
      { ...FITS, buttons: null },
      [FOUND],
      'paid in en_US: its button 2 takes a parameter, and the notification gives none',
    ],
    [
      'has no such button',
      { ...FITS, buttons: ['a', 'b'] },
      [FOUND],
      'paid in en_US: it has no button 1 with a parameter, and the notification gives one',
    ],
  ])('does not fit if it %s', (_, parameters, found, problem) => {
    expect(problemOf(parameters, ...found)).toBe(problem);
  });

  it('is named in few of its languages', () => {
    const many = Array.from({ length: 13 }, (_, i) => ({ ...FOUND, language: `l${i}` }));
    expect(problemOf(FITS, ...many)).toContain('l8, l9 and 3 more, but');
  });
});
