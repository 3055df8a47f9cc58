import { webhook } from '../crowd.mjs';
import { drain } from '../drain.mjs';

export const http = {
  name: 'http',
  about: 'What one worker sends over one webhook.',
  run: (world) =>
    drain(world, {
      sinkKind: 'http',
      floorKind: 'post',
      channelTo: ({ url }) => webhook(url),
      floorIs: 'bare undici, 50 in flight',
    }),
};
