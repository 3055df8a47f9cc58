import { mail } from '../crowd.mjs';
import { drain } from '../drain.mjs';

export const smtp = {
  name: 'smtp',
  about: 'What one worker sends to one mail server.',
  run: (world) =>
    drain(world, {
      sinkKind: 'smtp',
      floorKind: 'smtp',
      channelTo: ({ port }) => mail(port),
      floorIs: 'prebuilt mail, 5 connections',
    }),
};
