import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ChannelConfig, Outcome } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { shownOutcome } from './examples.js';
import type { Example, ExpectedRequest, ProviderFile } from '../provider.js';
import { ProviderSender } from '../provider-sender.js';
import { sampleConfig, sampleMessage } from './sample.js';

interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What became of an example. */
interface ExampleResult {
  example: Example;
  outcome: Outcome;
  /** Empty: everything is as the example says. */
  problems: string[];
}

/** Sends the message of each example to a server on loopback that gives its answer, and compares. */
export async function runExamples(provider: ProviderFile): Promise<ExampleResult[]> {
  const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const results: ExampleResult[] = [];
    for (const example of provider.examples) results.push(await runExample(provider, example, outbound, server));
    return results;
  } finally {
    server.closeAllConnections();
    server.close();
    await outbound.close();
  }
}

async function runExample(
  provider: ProviderFile,
  example: Example,
  outbound: Outbound,
  server: Server,
): Promise<ExampleResult> {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received: Received[] = [];
  server.removeAllListeners('request').on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(example.answer.status, example.answer.headers).end(example.answer.text);
    });
  });
  const config = directed(provider, sampleConfig(provider, example), origin);
  const message = sampleMessage(provider, example.message);
  const outcome = await new ProviderSender(outbound, origin).send(provider, message, config);
  const [request] = received;
  const problems = [...problemsOf(example, outcome), ...(request ? requestProblems(example.request, request) : [])];
  return { example, outcome, problems: request ? problems : [`nothing was sent: ${outcome.answer}`] };
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

function problemsOf({ expect }: Example, outcome: Outcome): string[] {
  const found = shownOutcome(outcome);
  if (isDeepStrictEqual(found, expect)) return [];
  return [`expected ${JSON.stringify(expect)}, got ${JSON.stringify(found)}: ${outcome.answer}`];
}

/** What is different. Of the headers those that the example names; of JSON and forms everything. */
function requestProblems(expected: ExpectedRequest | null, received: Received): string[] {
  if (!expected) return [];
  const path = expected.url?.replace(/^https?:\/\/[^/?#]*/, '');
  const pairs: [string, unknown, unknown][] = [
    ['method', expected.method, received.method],
    ['url', path, received.url],
    ...Object.entries(expected.headers ?? {}).map(([name, value]): [string, unknown, unknown] => [
      name,
      value,
      received.headers[name.toLowerCase()],
    ]),
    ['json', expected.json, expected.json === undefined ? undefined : jsonIn(received.body)],
    ['form', expected.form, expected.form === undefined ? undefined : formIn(received.body)],
  ];
  return pairs
    .filter(([, wanted, found]) => wanted !== undefined && !isDeepStrictEqual(wanted, found))
    .map(([name, wanted, found]) => `${name}: expected ${JSON.stringify(wanted)}, sent ${JSON.stringify(found)}`);
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

/** A field that is repeated is a list. */
function formIn(body: string): Record<string, unknown> {
  const form = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
