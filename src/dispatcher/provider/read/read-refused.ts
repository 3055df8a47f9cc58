import { holds } from '../outcome.js';
import type { RefusedSettings } from '../provider.js';
import { checked } from '../value.js';
import type { FilePlace } from './place.js';

/** Reads `refuse`: `{ when, because }` with a condition on settings, or `{ setting, unless, because }` with a pattern. */
export const readRefused = (place: FilePlace | null, settings: readonly string[]): RefusedSettings[] =>
  (place?.items() ?? []).map((entry) => ({
    applies: entry.at('setting') ? mismatch(entry, settings) : condition(entry, settings),
    because: entry.need('because').text(),
    pauses: entry.at('fault')?.oneOf(['channel']) !== undefined,
  }));

function condition(place: FilePlace, settings: readonly string[]): RefusedSettings['applies'] {
  const when = checked(place.only(['when', 'because', 'fault']).need('when'), { settings });
  return (_config, plain) => holds(when, { settings: plain });
}

/** A pattern that a setting must match even if it was stored before: the channel cannot be used otherwise. */
function mismatch(place: FilePlace, settings: readonly string[]): RefusedSettings['applies'] {
  const key = place.only(['setting', 'unless', 'because', 'fault']).need('setting').oneOf(settings);
  const pattern = place.need('unless');
  const regexp = pattern.try(() => new RegExp(pattern.text(), 'u'));
  return (config) => !regexp.test(String(config[key] ?? ''));
}
