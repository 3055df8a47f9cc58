import { expect, it } from '@jest/globals';
import { TEST_CERTIFICATE, TEST_KEY } from '../../test/support/sinks/certificate.js';
import { problemWithCertificates } from './certificates.js';

it('one certificate or several may be trusted', () => {
  expect(problemWithCertificates(TEST_CERTIFICATE)).toBeNull();
  expect(problemWithCertificates(`${TEST_CERTIFICATE}\n${TEST_CERTIFICATE}\n`)).toBeNull();
});

it.each([
  ['nothing of the kind', 'acme', 'must be certificates in PEM format'],
  ['a private key', TEST_KEY, 'must be certificates in PEM format'],
  ['a private key too', `${TEST_CERTIFICATE}\n${TEST_KEY}`, 'must be certificates in PEM format'],
  ['a broken certificate', TEST_CERTIFICATE.replace('MIIB', 'AAAA'), 'contains a certificate that cannot be read'],
])('%s is refused', (_name, pem, problem) => {
  expect(problemWithCertificates(pem)).toContain(problem);
});
