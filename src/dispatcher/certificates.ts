import { X509Certificate } from 'node:crypto';
import type { ConfigField } from './dispatcher.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----\s*/g;

/** A channel to a server whose certificate no public authority has signed. */
export const CA_FIELD: ConfigField = {
  key: 'ca',
  label: 'Certificate authority',
  kind: 'certificates',
  required: false,
  secret: false,
  max: 20_000,
  help: 'Certificates in PEM format. Only servers that one of them signed are trusted. Unset: the public authorities',
};

export function problemWithCertificates(pem: string): string | null {
  const found = pem.match(CERTIFICATE) ?? [];
  // Everything else is refused: it may be a private key, and the setting is no secret.
  if (found.length === 0 || pem.replace(CERTIFICATE, '').trim() !== '')
    return 'must be certificates in PEM format (-----BEGIN CERTIFICATE----- ...) and nothing else';
  return found.every(isCertificate) ? null : 'contains a certificate that cannot be read';
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
