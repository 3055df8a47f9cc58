// Prints a new pair of VAPID keys (RFC 8292) as lines for a shell: eval "$(node vapid-keys.mjs)"
import { createECDH } from 'node:crypto';

const keys = createECDH('prime256v1');
const publicKey = keys.generateKeys();
const privateKey = Buffer.alloc(32);
const bytes = keys.getPrivateKey(); // without leading zeros
bytes.copy(privateKey, 32 - bytes.length);
console.log(`export VAPID_PUBLIC_KEY=${publicKey.toString('base64url')}`);
console.log(`export VAPID_PRIVATE_KEY=${privateKey.toString('base64url')}`);
