import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { parseAddress } from '../email/address.js';
import { referenceOf } from '../report/reference.js';
import { BounceAddresses } from './bounce-address.js';

const key = Buffer.alloc(32, 7);
const addresses = new BounceAddresses(key);
const ID = '0192f0c1-7a52-7cc3-9d6a-1f2e3d4c5b6a.999999999999999999';
const DOMAIN = 'bounces.acme.test';

it('an address names its message, and fits the local part of an address with the largest id', () => {
  const address = addresses.of(ID, DOMAIN);
  expect(address.split('@')[0]).toHaveLength(64);
  expect(parseAddress(address)).toBe(address);
  expect(addresses.referenceIn(address)).toBe(referenceOf(ID));
});

it('an address is the same at every attempt, and different for every message and domain', () => {
  expect(addresses.of(ID, DOMAIN)).toBe(new BounceAddresses(key).of(ID, DOMAIN));
  const macs = [ID, ID.replace('.9', '.8')].map((id) => addresses.of(id, DOMAIN).slice(-30, -DOMAIN.length));
  expect(macs[0]).not.toBe(macs[1]);
});

it('an address is read whatever the case of its letters', () => {
  expect(addresses.referenceIn(addresses.of(ID, DOMAIN).toUpperCase())).toBe(referenceOf(ID));
});

it('an address with any other letter is not ours, nor one at another domain', () => {
  const address = addresses.of(ID, DOMAIN);
  for (let i = 0; i < address.length; i++) {
    const other = address[i] === 'a' ? 'b' : 'a';
    expect(addresses.referenceIn(address.slice(0, i) + other + address.slice(i + 1))).toBeNull();
  }
  const others = [address.replace('acme', 'globex'), address.slice(1), `${address}x`, `x${address}`, `<${address}>`];
  for (const bad of [...others, '', '@', 'postmaster@acme.test', address.split('@')[0]!])
    expect(addresses.referenceIn(bad)).toBeNull();
});

it('an address of another key is not ours, and one of the previous key is as long as that key is set', () => {
  const old = addresses.of(ID, DOMAIN);
  const next = randomBytes(32);
  expect(new BounceAddresses(next).referenceIn(old)).toBeNull();
  expect(new BounceAddresses(next, key).referenceIn(old)).toBe(referenceOf(ID));
  expect(new BounceAddresses(next, key).of(ID, DOMAIN)).toBe(new BounceAddresses(next).of(ID, DOMAIN));
});

it('the test of a channel has an address too, which names no delivery', () => {
  const [occurrence] = ID.split('.') as [string];
  expect(addresses.referenceIn(addresses.of(occurrence, DOMAIN))).toBe(`${occurrence}_0`);
});
