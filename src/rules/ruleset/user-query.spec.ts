import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { userQuery } from './user-query.js';

const dispatchers = new Map([['email', { type: 'email', addressKind: 'email' } as Dispatcher]]);
const channels = new Map([[5, { id: 5, slug: 'mail', type: 'email', enabled: true, config: {} }]]);
const users = { organizationId: 1, channelId: 5, channels, dispatchers, only: null, choices: null };
const listed = { lists: [3, 4], audience: null };
const described = { lists: [], audience: { field: 'first_name', is: 'Ann' } };
const page = { after: 10, limit: 100 };

describe('a statement about the users of a rule', () => {
  it('of lists has the parameters of the users only', () => {
    const { text, values } = userQuery({ ...users, rule: listed }, page, (audience) => `audience: ${audience}`);
    expect(text).toBe('audience: null');
    expect(values).toEqual([1, 5, 'email', [3, 4], 10, 100, null, null]);
  });

  it('of an audience has the parameters of the audience last', () => {
    const { text, values } = userQuery({ ...users, rule: described }, page, (audience) => audience!);
    expect(text).toContain('$9');
    expect(values).toEqual([1, 5, 'email', [], 10, 100, null, null, 'Ann']);
  });

  it('with parameters of its own has them before those of the audience', () => {
    const { text, values } = userQuery({ ...users, rule: described }, page, (audience) => audience!, ['x', 'y']);
    expect(text).toContain('$11');
    expect(text).not.toContain('$9');
    expect(values.slice(8)).toEqual(['x', 'y', 'Ann']);
  });

  it('over a channel that was deleted asks for no kind of address', () => {
    const { values } = userQuery({ ...users, channels: new Map(), rule: listed, only: [7] }, page, () => '');
    expect([values[2], values[6]]).toEqual([null, [7]]);
  });
});
