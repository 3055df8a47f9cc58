import { mail } from '../../world/crowd.mjs';
import { hangs } from './never-answers.mjs';

/** @type {import('../attacks.mjs').Attack} */
export const mailSameHost = {
  ...hangs,
  name: 'mail-same-host',
  about: 'a mail server that never answers mail of one tenant, and answers the other',
  sink: 'smtp',
  listen: undefined,
  channels: (_facts, sink) => mail(sink.port),
};
