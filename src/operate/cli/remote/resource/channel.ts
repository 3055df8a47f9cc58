import type { ChannelCheck, TemplateCheck, TestedChannel } from '../../../../../clients/typescript/src/schema.js';
import { visible } from '../../../../platform/config/visible.js';
import { print } from '../../print/print.js';
import type { PrintOptions } from '../../print/print.js';
import { RemoteClient } from '../client.js';
import { requireService } from '../options.js';
import type { RemoteOptions } from '../options.js';
import { api, wrongPath } from '../path.js';

export interface TestChannelOptions extends RemoteOptions, PrintOptions {
  to?: string;
  subject?: string;
  text?: string;
}

export interface CheckChannelOptions extends RemoteOptions, PrintOptions {}

/** Exit code if the provider did not accept the message, the settings or a template, for scripts. */
const NOT_SENT = 2;
/** A provider may take its time. */
const TIMEOUT_MS = 120_000;

export async function test(path: string, options: TestChannelOptions): Promise<void> {
  const url = channelPath(path);
  const client = new RemoteClient(requireService(options));
  const { to, subject, text } = options;
  const body = { to, subject, text };
  const result = await client.send<TestedChannel>('POST', `${url}test/`, { body, timeoutMs: TIMEOUT_MS });
  const { outcome, answer, duration_ms } = result;
  await print(options, result, `${outcome} after ${duration_ms} ms: ${visible(answer)}`);
  if (outcome !== 'sent') process.exitCode = NOT_SENT;
}

export async function check(path: string, options: CheckChannelOptions): Promise<void> {
  const client = new RemoteClient(requireService(options));
  const result = await client.send<ChannelCheck>('POST', `${channelPath(path)}check/`, {});
  const { ok, fault, answer, templates, duration_ms } = result;
  const verdict = ok ? 'ok' : fault === 'channel' ? 'wrong' : 'not known';
  const lines = [`${verdict} after ${duration_ms} ms: ${visible(answer)}`, ...templates.map(templateLine)];
  await print(options, result, lines.join('\n'));
  if (!ok || templates.some(({ state }) => state === 'wrong')) process.exitCode = NOT_SENT;
}

function templateLine({ event, notification, template, language, state, problem }: TemplateCheck): string {
  const verdict = state === 'unknown' ? 'not known' : state;
  return visible(`${verdict}: template of ${event} "${notification}": ${problem ?? `${template} in ${language}`}`);
}

function channelPath(path: string): string {
  const names = path.split('/');
  const [organization, second, third] = names as [string, string, string];
  if (names.length === 2 && !names.includes('')) return api`/api/o/${organization}/c/${second}/`;
  if (names.length === 3 && !names.includes('')) return api`/api/o/${organization}/p/${second}/c/${third}/`;
  throw wrongPath(path, [
    ['organization', 'channel'],
    ['organization', 'project', 'channel'],
  ]);
}
