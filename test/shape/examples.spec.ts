import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Clock } from '../support/clock.js';
import { contract, operations } from '../support/contract/contract.js';
import { fillPath } from '../support/contract/operations.js';
import { storeOccurrence } from '../support/world/occurrence.js';

let app: TestApp;
let key: string;
useApp({}, async (started) => {
  app = started;
  key = await app.key();
});

interface Schema {
  $ref?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
}

interface Content {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

const resolve = (schema: Schema): Schema =>
  schema.$ref ? (contract.components.schemas[schema.$ref.split('/').at(-1)!] as Schema) : schema;

/** The examples of all fields together. `html` and `markdown` exclude each other. */
function exampleOf(schema: Schema, leftOut: string): unknown {
  const { example, properties } = resolve(schema);
  if (example !== undefined || !properties) return example;
  const fields = Object.entries(properties).filter(([name]) => name !== leftOut);
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, leftOut)]));
}

function bodiesOf({ schema, examples }: Content): unknown[] {
  const whole = exampleOf(schema, 'markdown');
  const withMarkdown = resolve(schema).properties?.markdown ? [exampleOf(schema, 'html')] : [];
  return [whole, ...withMarkdown, ...Object.values(examples ?? {}).map(({ value }) => value)];
}

/** The examples of the path parameters. The ids are those that the service gave, from the answers. */
const NAMES: Record<string, string> = {
  ...{ org: 'acme', prj: 'shop', app: 'web', evt: 'order-paid', channel: 'mail' },
  ...{ username: 'ann@acme.test', name: 'phone', value: '+15551234567' },
};

const as = (path: string) => `/api/o/acme${path}`;

/** What the examples name and no example creates, before the first operation below that path. */
const BEFORE: Record<string, (send: (path: string, body: object) => Promise<unknown>) => Promise<unknown>> = {
  updateApplication: (send) => send(as('/p/shop/a/'), { slug: 'web', name: 'Web shop' }),
  createOrganizationChannel: (send) => send(as('/c/'), { slug: 'sms', name: 'Sms', type: 'inbox' }),
  updateListMember: async () => {
    const { body } = await app.as(key).get(as(`/p/shop/d/${NAMES.pk}/m/`));
    NAMES.member = String((body as { id: number }[])[0]!.id);
  },
  retryOccurrence: async () => {
    await app.pool.query(`select setval(pg_get_serial_sequence('deliveries', 'id'), 16)`);
    NAMES.occurrence = (await storeOccurrence(app.pool, 'acme', 1)).id;
    await app.pool.query(`update deliveries set status = 'dead'`);
  },
};

const nullsOf = (body: object) => Object.fromEntries(Object.keys(body).map((name) => [name, null]));

it('the service accepts the examples of every body', async () => {
  // The times of a trigger are examples for this month: they must lie ahead, but not more than a year.
  const refused = await Clock.stopped((clock) => {
    clock.advance(Date.parse('2027-05-01T00:00:00Z') - Date.now());
    return refusedExamples();
  });
  expect(refused).toEqual([]);
});

async function refusedExamples(): Promise<string[]> {
  const refused: string[] = [];
  const send = (path: string, body: object) => app.as(key).post(path).send(body);
  for (const { operationId, method, path, requestBody } of operations.filter((each) => each.requestBody)) {
    await BEFORE[operationId]?.(send);
    for (const body of bodiesOf(requestBody!.content['application/json'] as Content)) {
      const verb = method.toLowerCase() as 'post' | 'put' | 'patch';
      const answer = await app
        .as(key)
        [verb](fillPath(path, NAMES))
        .send(body as object);
      if (answer.status >= 300) refused.push(`${operationId} ${JSON.stringify(body)}: ${answer.text}`);
      const { id } = answer.body as { id?: number };
      // The next examples need more than these.
      if (operationId === 'updateOrganizationQuota')
        await app
          .as(key)
          .patch(as('/quotas/'))
          .send(nullsOf(body as object));
      if (operationId === 'createDistributionList') NAMES.pk = String(id);
      if (operationId === 'createNotification') NAMES.notification = String(id);
    }
  }
  return refused;
}

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
