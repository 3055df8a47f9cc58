import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { ReplayDto } from './steer.dto.js';

/**
 * The options of a replay: those of the first trigger, without its times. With users of its own, a replay posts to no room, although the first
 * trigger did.
 */
export function replayOptions(first: TriggerOptions, { limit_to, notifications }: ReplayDto): TriggerOptions {
  const { send_at: _, expires_at: __, rooms, ...options } = first;
  return {
    ...options,
    ...(rooms && !limit_to && { rooms }),
    ...(limit_to && { limit_to }),
    ...(notifications && { notifications }),
  };
}
