import { describe, expect, it } from '@jest/globals';
import { clipped, counted, listed, moment, nameOf, sentenceFor } from './explain-sentence.js';
import type { ChannelClause } from './explain-sentence.js';

const ANN = 'Ann (ann@acme.test)';
const told = (channel: string, outcome: ChannelClause['outcome'], why: string) => ({ channel, outcome, why });
const tell = (...channels: ChannelClause[]) => ({ notification: 'Tell', channels });

const sent = told('mail', 'sent', 'at 2030-01-01T08:00:00Z');
const closed = told('hook', 'not_sent', 'the channel was switched off');

describe('one sentence tells the outcomes of all rules for a user', () => {
  it.each([
    [[tell(sent)], `${ANN} was sent "Tell" over mail at 2030-01-01T08:00:00Z.`],
    [
      [tell(closed, sent)],
      `${ANN} was sent "Tell" over mail at 2030-01-01T08:00:00Z; was not sent it over hook, because the channel was switched off.`,
    ],
    [
      [tell(sent, told('inbox', 'sent', ''))],
      `${ANN} was sent "Tell" over mail at 2030-01-01T08:00:00Z and over inbox.`,
    ],
    [[tell(closed)], `${ANN} was not sent "Tell" over hook, because the channel was switched off.`],
    [
      [tell(closed, told('mail', 'not_sent', 'the user was locked'), told('inbox', 'not_sent', 'the user was locked'))],
      `${ANN} was not sent "Tell" over hook, because the channel was switched off; was not sent it over mail and inbox, because the user was locked.`,
    ],
    [
      [tell(sent, told('hook', 'waiting', 'soon'), told('sms', 'dead', 'refused'))],
      `${ANN} was sent "Tell" over mail at 2030-01-01T08:00:00Z; is waiting for it over hook: soon; did not get it over sms: refused.`,
    ],
    [[tell(told('hook', 'waiting', 'soon'))], `${ANN} is waiting for "Tell" over hook: soon.`],
    [[tell(told('hook', 'dead', 'refused'))], `${ANN} did not get "Tell" over hook: refused.`],
    [
      [tell(sent), { notification: 'Warn', channels: [closed] }],
      `${ANN} was sent "Tell" over mail at 2030-01-01T08:00:00Z; was not sent "Warn" over hook, because the channel was switched off.`,
    ],
    [[tell()], `${ANN} was not sent "Tell", because it has no template.`],
  ])('%j', (rules, sentence) => {
    expect(sentenceFor(ANN, rules)).toBe(sentence);
  });
});

it('names a user by name and e-mail, or by e-mail alone', () => {
  const email = 'ann@acme.test';
  expect(nameOf({ firstName: 'Ann', lastName: 'Lee', email })).toBe('Ann Lee (ann@acme.test)');
  expect(nameOf({ firstName: '', lastName: 'Lee', email })).toBe('Lee (ann@acme.test)');
  expect(nameOf({ firstName: '', lastName: '', email })).toBe(email);
});

it('cuts quoted text to one line of limited length', () => {
  expect(clipped('500\n  out of\torder.')).toBe('500 out of order');
  expect(clipped('wait ...')).toBe('wait ...');
  expect(clipped('x'.repeat(300))).toBe(`${'x'.repeat(200)}...`);
});

it('writes numbers, times and lists in plain English', () => {
  expect([counted(0), counted(999), counted(1_234_567)]).toEqual(['0', '999', '1,234,567']);
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(moment('2030-01-01T09:00:00.123+01:00')).toBe('2030-01-01T08:00:00Z');
});
