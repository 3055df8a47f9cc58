import { describe, expect, it } from '@jest/globals';
import { NO_SEAL, digestOf, problemOf, sealOf } from './seal.js';
import type { Entry, SealedEntry } from './seal.js';

const ENTRY: Entry = {
  ...{ id: '31', at: '1700000000000', organizationId: 7, keyId: 12, actor: 'ci', requestId: 'r-1' },
  ...{ address: '203.0.113.9', verb: 'update', noun: 'user', userId: 17, count: 1 },
  ...{ name: 'ann@acme.test', changes: '{"last_name": ["Lee", null]}' },
};
const SALT = '5a'.repeat(32);
const BEFORE = '11'.repeat(32);

function sealed(entry = ENTRY, before = BEFORE): SealedEntry {
  const digest = digestOf(entry, SALT);
  return { ...entry, position: '4', salt: SALT, digest, seal: sealOf(entry, '4', digest, before), userExists: true };
}
const REDACTED = {
  ...{ name: '[user 17]', changes: '{"last_name": ["[redacted]", null]}', salt: null, userExists: false },
};

describe('a sealed entry', () => {
  it('is intact as long as nothing changes', () => {
    expect(problemOf(sealed(), BEFORE)).toBeNull();
    expect(problemOf(sealed(ENTRY, NO_SEAL), NO_SEAL)).toBeNull();
  });

  it('shows a change of any field', () => {
    const others: Partial<SealedEntry> = {
      ...{ id: '32', at: '1', organizationId: 8, keyId: null, actor: 'x', requestId: null, address: null, verb: 'x' },
      ...{ noun: 'x', userId: 18, count: 2, name: 'x', changes: null, position: '5', digest: 'ab', seal: 'ab' },
    };
    for (const [field, value] of Object.entries(others))
      expect([field, problemOf({ ...sealed(), [field]: value }, BEFORE)]).toEqual([
        field,
        expect.stringMatching(/does not match|altered/),
      ]);
    expect(problemOf(sealed(), NO_SEAL)).toBe('it does not match its seal');
  });

  it('may lose the details of a deleted user, and nothing else', () => {
    expect(problemOf({ ...sealed(), ...REDACTED }, BEFORE)).toBeNull();
    expect(problemOf({ ...sealed(), ...REDACTED, userExists: true }, BEFORE)).toMatch('no deleted user');
    expect(problemOf({ ...sealed({ ...ENTRY, userId: null }), salt: null }, BEFORE)).toMatch('no deleted user');
    for (const forged of [{ name: 'ben@acme.test' }, { changes: '{"last_name": ["Lee", null]}' }])
      expect(problemOf({ ...sealed(), ...REDACTED, ...forged }, BEFORE)).toMatch('replaced by others');
  });

  it('is still checked for its details if the entry before it was deleted', () => {
    expect(problemOf(sealed(), null)).toBeNull();
    expect(problemOf({ ...sealed(), name: 'x' }, null)).toMatch('altered');
  });
});
