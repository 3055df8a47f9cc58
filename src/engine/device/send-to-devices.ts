import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { DeviceResult } from '../../rules/device/device-result.js';
import { mergeResults } from './device-outcome.js';
import type { DeviceAnswer } from './device-outcome.js';
import type { TargetDevice } from './target-devices.js';

/** A device that is slower than this does not keep what others took from being written. */
const NOTE_AFTER_MS = 250;

interface SendToDevices {
  devices: TargetDevice[];
  /** What became of the message so far. */
  before: readonly DeviceResult[];
  send: (device: TargetDevice) => Promise<Outcome>;
  /** Writes what became of it, while other devices are being tried. */
  note: (results: DeviceResult[]) => Promise<unknown>;
}

/**
 * Sends a message to all devices at once, so that the attempt takes no longer than one to the slowest. What some took is written soon: after a kill of the
 * process, only the others get it again.
 */
export async function sendToDevices({ devices, before, send, note }: SendToDevices): Promise<DeviceAnswer[]> {
  const answers: DeviceAnswer[] = [];
  let isLate = false;
  let noted = Promise.resolve<unknown>(undefined);
  const noteSome = () => {
    if (!isLate || answers.length === devices.length || !answers.some(({ outcome }) => outcome.kind === 'sent')) return;
    // In order, and without a fuss: the outcome of the attempt says it again.
    noted = noted.then(() => note(mergeResults(before, answers))).catch(() => {});
  };
  const timer = setTimeout(() => {
    isLate = true;
    noteSome();
  }, NOTE_AFTER_MS);
  await Promise.all(
    devices.map(async (device) => {
      const outcome = await send(device);
      answers.push({ device, outcome, at: new Date() });
      noteSome();
    }),
  );
  clearTimeout(timer);
  await noted;
  return devices.map((device) => answers.find((answer) => answer.device === device)!);
}
