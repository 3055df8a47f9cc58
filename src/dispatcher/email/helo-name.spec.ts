import { expect, it } from '@jest/globals';
import { heloNameOf } from './helo-name.js';

it.each([
  ['mail-7.acme.example', 'mail-7.acme.example'],
  ['Mail-7.Acme.Example.', 'mail-7.acme.example'],
  // not known to anybody else
  ['3f2a9c', 'sender.test'],
  ['localhost', 'sender.test'],
  ['localhost.localdomain', 'sender.test'],
  ['ip-10-0-0-7.ec2.internal', 'sender.test'],
  ['pod.ns.svc.cluster.local', 'sender.test'],
  ['ann.lan', 'sender.test'],
  ['10.0.0.7', 'sender.test'],
  ['under_score.acme.example', 'sender.test'],
])('on the machine %s a server is greeted by the name %s', (machine, name) => {
  expect(heloNameOf(machine, 'sender.test')).toBe(name);
});

it('without any full name a server is greeted by an address literal', () => {
  expect(heloNameOf('3f2a9c', 'localhost')).toBe('[127.0.0.1]');
});
