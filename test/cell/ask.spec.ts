import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ANSWER_HEADER, ASK_PATH, CellClient } from '../../src/cell/forwarding/cell-client.js';
import type { CellCircuits } from '../../src/cell/forwarding/cell-circuits.js';
import { PROOF_HEADER, proveAnswer, readProof } from '../../src/cell/forwarding/proof.js';
import type { Cells } from '../../src/cell/directory/cells.js';
import { CELL_SECRET } from '../support/app/cells.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { HttpReply, ReceivedRequest } from '../support/sinks/http-sink.js';

const KEY = JSON.stringify({ key: { cell: 1 } });
const question = { hash: 'ab'.repeat(32) };

let other: HttpSink;
let warned: jest.Spied<Logger['warn']>;
beforeEach(async () => {
  other = await HttpSink.start();
  warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
});
afterEach(async () => {
  await other.close();
  jest.restoreAllMocks();
});

const settings = { number: 0, url: 'http://127.0.0.1:9', secret: CELL_SECRET, directoryUrl: '' };
const circuits = { isOpen: () => false, answers: () => Promise.resolve(true) } as Pick<
  CellCircuits,
  'isOpen' | 'answers'
>;
const ask = () => {
  const cell = { number: 1, url: other.url(), seenAt: new Date() };
  return new CellClient({ settings } as Cells, circuits as CellCircuits).ask(cell, question);
};
const proofOf = ({ headers }: ReceivedRequest) => String(headers[PROOF_HEADER]);
const proved = (request: ReceivedRequest, body = KEY, secret = CELL_SECRET): HttpReply & object => ({
  status: 200,
  headers: { [ANSWER_HEADER]: proveAnswer(body, proofOf(request), secret) },
  body,
});

it('proves its question, and returns the answer', async () => {
  other.reply = (request) => proved(request);
  const before = Date.now();
  expect(await ask()).toEqual(JSON.parse(KEY));
  const [{ method, path: url, ...request }] = other.requests as [ReceivedRequest];
  const said = readProof(proofOf({ method, path: url, ...request }), { method, url }, 1, CELL_SECRET);
  expect([method, url, said]).toEqual(['GET', ASK_PATH, { from: 0, to: 1, at: expect.any(Number), question }]);
  expect(said!.at).toBeGreaterThanOrEqual(before);
  expect(warned).not.toHaveBeenCalled();
});

const LARGE = JSON.stringify({ key: 'x'.repeat(256 * 1024) });

it.each<[string, (request: ReceivedRequest) => HttpReply, RegExp]>([
  ['has no proof', () => ({ status: 200, body: KEY }), /answers 200 without a proof: check its CELL/],
  ['has the proof of another secret', (request) => proved(request, KEY, 'x'.repeat(32)), /without a proof/],
  ['is an error', (request) => ({ ...proved(request), status: 503 }), /answers 503/],
  ['leads elsewhere', () => ({ status: 302, headers: { Location: other.url('/elsewhere') } }), /redirect/],
  ['is too large', (request) => proved(request, LARGE), /the answer is too large/],
  ['never comes', () => 'silence', /timeout/],
  ['breaks off', () => 'reset', /fetch failed: .+/],
])('refuses an answer that %s, and logs why', async (_, reply, reason) => {
  other.reply = reply;
  await expect(ask()).rejects.toMatchObject({ message: expect.stringMatching(reason), cause: expect.anything() });
  expect(warned.mock.calls).toEqual([
    [{ message: 'a cell does not answer', cell: 1, error: expect.stringMatching(reason) }],
  ]);
  expect(other.requests).toHaveLength(1);
});

it('accepts the largest answer', async () => {
  const body = JSON.stringify('x'.repeat(256 * 1024 - 2));
  other.reply = (request) => proved(request, body);
  expect(await ask()).toHaveLength(256 * 1024 - 2);
});
