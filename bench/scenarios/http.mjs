import { BARE_POST } from '../measure/send-bare.mjs';
import { webhook } from '../world/crowd.mjs';
import { drain } from '../measure/drain.mjs';

export const http = {
  name: 'http',
  about: 'Messages that one worker sends over one webhook.',
  run: (world) =>
    drain(world, {
      sinkKind: 'http',
      floorKind: 'post',
      channelTo: ({ url }) => webhook(url),
      floorIs: BARE_POST,
    }),
};
