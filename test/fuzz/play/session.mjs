import { setTimeout as sleep } from 'node:timers/promises';
import { findingOf } from '../check/check.mjs';
import { shorten } from './shorten.mjs';

const MOST_TRIES = 5;

/** On a slow machine 64 racing clients are too many at once. A 503 that ends when the client waits, as it is told to, is no finding. */
const isBusy = ({ status, headers }) => status === 503 && /^\d+$/.test(String(headers['retry-after']));

/** Sends requests, checks every answer, and notes what is wrong. */
export class Session {
  /** Nothing is sent before it is settled. */
  resting;

  /**
   * @param {import('./client.mjs').Client} client
   * @param {Map<string, import('../check/contract.mjs').Operation>} operations by id
   * @param {import('../results.mjs').Results} results
   */
  constructor(client, operations, results) {
    this.client = client;
    this.operations = operations;
    this.results = results;
  }

  /**
   * @param {import('../check/contract.mjs').Operation} operation
   * @param {import('../generate/request.mjs').Request} request
   */
  async send(operation, request) {
    await this.resting;
    let answer = await this.client.send(request, operation.isStream);
    this.results.count(operation, answer);
    for (let tries = 1; isBusy(answer) && tries <= MOST_TRIES; tries++) {
      this.results.busy++;
      await sleep(Number(answer.headers['retry-after']) * 1000 * tries);
      answer = await this.client.send(request, operation.isStream);
    }
    const finding = findingOf(operation, request, answer);
    if (finding && this.results.isNew(finding, operation)) {
      const again = async (other) => {
        const otherAnswer = await this.client.send(other, operation.isStream);
        return findingOf(operation, other, otherAnswer)?.kind === finding.kind;
      };
      this.results.add(finding, operation, finding.kind === 'hang' ? request : await shorten(request, again));
    } else if (finding) this.results.add(finding, operation, request);
    return answer;
  }

  /** Calls an operation as a well-behaved client does, and returns the status and the parsed body. */
  async call(id, headers, names, value, more = {}) {
    const operation = this.operations.get(id);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(names[name]));
    const body = value === undefined ? {} : { body: JSON.stringify(value) };
    const type = value === undefined ? {} : { 'content-type': 'application/json' };
    const request = { method: operation.method, path, query: {}, headers: { ...headers, ...type, ...more }, ...body };
    const answer = await this.send(operation, request);
    return { status: answer.status, headers: answer.headers, value: parse(answer.text), request };
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
