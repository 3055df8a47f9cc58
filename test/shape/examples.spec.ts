import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestApp } from '../support/app/app.js';
import { useDemo } from '../support/app/use.js';
import { contract } from '../support/contract/contract.js';
import { filledIn, tries } from '../support/contract/try-out.js';

let app: TestApp;
let key: string;
useDemo((demo) => ({ app, key } = demo));

/** The status of the answer. The answer of a stream goes on. */
async function statusOf(method: string, path: string, body: unknown): Promise<string> {
  const stop = new AbortController();
  const answer = await fetch(`${app.url}${path}`, {
    ...{ method, signal: stop.signal },
    headers: { authorization: `Key ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const text = answer.status < 300 || isStream ? '' : await answer.text();
  stop.abort();
  return `${answer.status} ${text}`;
}

it('what Swagger UI fills in works on the demo, for every operation', async () => {
  const wrong: string[] = [];
  for (const { operation, status } of tries) {
    const { path, bodies } = filledIn(operation);
    for (const body of bodies) {
      const answer = await statusOf(operation.method, path, body);
      if (!answer.startsWith(String(status))) wrong.push(`${operation.operationId} ${path}: ${answer}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('every example in the contract fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const absolute = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/components/', '"contract#/components/')) as object;
  ajv.addSchema({ $id: 'contract', components: absolute(contract.components) });
  const wrong: string[] = [];
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { example, schema } = value as { example?: unknown; schema?: object };
    if (example !== undefined && !path.endsWith('properties')) {
      const validate = ajv.compile(absolute(schema ?? value));
      if (!validate(example)) wrong.push(`${path}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const [key, each] of Object.entries(value)) if (key !== 'example') look(each, `${path}/${key}`);
  };
  look(contract, '');
  expect(wrong).toEqual([]);
});
