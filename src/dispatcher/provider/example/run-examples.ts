import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { checkSettings } from '../check/check-settings.js';
import { shownCheck } from '../check/read-test.js';
import type { ChannelConfig, Outcome, SettingsCheck } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { ChannelTokens } from '../../token/channel-tokens.js';
import { shownOutcome } from './examples.js';
import type { Example, ProviderFile, TestExample } from '../provider.js';
import { ProviderSender } from '../provider-sender.js';
import { requestProblems, type Received } from './request-problems.js';
import { sampleConfig, sampleMessage } from './sample.js';

/** What became of an example. */
interface ExampleResult {
  example: Example;
  outcome: Outcome;
  /** Empty: everything is as the example says. */
  problems: string[];
}

/** What a check of the settings found with the answer of an example. */
interface TestResult {
  example: TestExample;
  check: SettingsCheck;
  /** Empty: everything is as the example says. */
  problems: string[];
}

/** No server makes tokens for examples, and each message is sent once. */
class ExampleTokens extends ChannelTokens {
  override get(): Promise<{ value: string }> {
    return Promise.resolve({ value: 'token-of-the-example' });
  }

  override replace(): Promise<null> {
    return Promise.resolve(null);
  }
}

/** Sends the message of each example to a server on loopback that gives its answer, and compares. */
export const runExamples = (provider: ProviderFile): Promise<ExampleResult[]> =>
  answeredInTurn(provider, provider.examples, async (example, { outbound, origin, config }) => {
    const message = sampleMessage(provider, example.message);
    const outcome = await new ProviderSender(outbound, origin, new ExampleTokens()).send(provider, message, config);
    return { example, outcome, ...compared(example.expect, shownOutcome(outcome), outcome.answer) };
  });

/** No example may have settings for which there is no call. */
const NOTHING: SettingsCheck = { ok: false, fault: 'channel', answer: 'there is no call for these settings' };

/** The same for the call that tries the settings, if there is one. */
export const runTestExamples = async (provider: ProviderFile): Promise<TestResult[]> => {
  const { test } = provider;
  if (!test) return [];
  return answeredInTurn(provider, test.examples, async (example, { outbound, origin, config }) => {
    const options = { outbound, origin, tokens: new ExampleTokens(), provider, test };
    const check = (await checkSettings(options, config, 'acme')) ?? NOTHING;
    return { example, check, ...compared(example.expect, shownCheck(check), check.answer) };
  });
};

interface Given {
  outbound: Outbound;
  origin: string;
  config: ChannelConfig;
}

type Sample = Pick<Example, 'settings' | 'answer' | 'request'>;

async function answeredInTurn<S extends Sample, Result extends { problems: string[] }>(
  provider: ProviderFile,
  samples: readonly S[],
  run: (sample: S, given: Given) => Promise<Result>,
): Promise<Result[]> {
  const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
  const server = provider.transport === 'http2' ? createHttp2Server() : createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const results: Result[] = [];
    for (const sample of samples) {
      const received = answerWith(server, sample.answer);
      const config = directed(provider, sampleConfig(provider, sample), origin);
      const result = await run(sample, { outbound, origin, config });
      results.push({ ...result, problems: [...result.problems, ...requestProblems(sample.request, received[0])] });
    }
    return results;
  } finally {
    await outbound.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
}

/** The requests that the server gets from now on. */
function answerWith(server: Server | Http2Server, answer: Example['answer']): Received[] {
  const received: Received[] = [];
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status, answer.headers).end(answer.text);
    });
  });
  return received;
}

/** The same settings, with loopback in the place of the hosts of URLs. */
const directed = ({ fields }: ProviderFile, config: ChannelConfig, origin: string): ChannelConfig => ({
  ...config,
  ...Object.fromEntries(
    fields
      .filter(({ key, kind }) => kind === 'url' && config[key] !== undefined)
      .map(({ key }) => [key, String(config[key]).replace(/^https?:\/\/[^/?#]*/, origin)]),
  ),
});

function compared(expected: unknown, found: unknown, answer: string): { problems: string[] } {
  if (isDeepStrictEqual(found, expected)) return { problems: [] };
  return { problems: [`expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}: ${answer}`] };
}
