import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInText } from '../../../src/dispatcher/provider/built-in.js';
import type { FakeApplePush } from './apple-push.js';
import type { FakeFcm } from './fcm.js';

/** The built-in files for push as the types fcm_here and apns_here, for services on this machine. */
export function writePushFiles(folder: string, fcm: FakeFcm, apple: FakeApplePush): void {
  const scope = 'scope: https://www.googleapis.com/auth/firebase.messaging';
  const texts = {
    fcm_here: builtInText('fcm')
      .replaceAll('https://fcm.googleapis.com', fcm.origin)
      .replace(scope, `${scope}\n    token_url: ${fcm.origin}/token`),
    apns_here: builtInText('apns').replaceAll('https://api.push.apple.com', apple.origin),
  };
  for (const [type, text] of Object.entries(texts)) {
    if (text.includes('oauth2.googleapis.com')) throw new Error('a file names a service on the internet');
    writeFileSync(join(folder, `${type}.yaml`), text.replace(/^type: \w+/, `type: ${type}`));
  }
}
