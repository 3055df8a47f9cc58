import { BARE_SMTP } from '../measure/send-bare.mjs';
import { mail } from '../world/crowd.mjs';
import { drain } from '../measure/drain.mjs';

export const smtp = {
  name: 'smtp',
  about: 'Messages that one worker sends to one mail server.',
  run: (world) =>
    drain(world, {
      sinkKind: 'smtp',
      floorKind: 'smtp',
      channelTo: ({ port }) => mail(port),
      floorIs: BARE_SMTP,
      other: {
        what: 'to a server that answers in small packets',
        people: world.size.smallReplies,
        sinkOptions: { separateLines: true },
        floorIs: 'to the server above',
      },
    }),
};
