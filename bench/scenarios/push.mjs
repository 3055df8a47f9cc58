import { join } from 'node:path';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { drain } from '../measure/drain.mjs';
import { BARE_HTTP2 } from '../measure/send-bare.mjs';
import { applePush } from '../world/crowd.mjs';
import { DEVICE_TOKEN } from '../world/device-token.mjs';

const FILE = new URL('../../src/dispatcher/provider/files/apns.yaml', import.meta.url);

export const push = {
  name: 'push',
  about:
    "Messages that one worker sends to phones over one HTTP/2 connection with TLS, as Apple's push service takes them.",
  run: (world) =>
    drain(world, {
      sinkKind: 'push',
      floorKind: 'push',
      people: world.size.push,
      channelTo: applePush,
      address: { name: 'apns', value: DEVICE_TOKEN },
      settingsFor: (facts) => settingsFor(world, facts),
      floorIs: BARE_HTTP2,
    }),
};

/** A service with a channel type `apns_here`: the built-in file, for the sink. */
function settingsFor(world, { origin, certificate }) {
  const folder = join(world.folder, 'providers');
  mkdirSync(folder);
  const text = readFileSync(FILE, 'utf8').replaceAll('https://api.push.apple.com', origin);
  writeFileSync(join(folder, 'apns_here.yaml'), text.replace(/^type: \w+/, 'type: apns_here'));
  return { PROVIDERS_DIR: folder, NODE_EXTRA_CA_CERTS: certificate, OUTBOUND_ALLOW: '127.0.0.0/8,::1' };
}
