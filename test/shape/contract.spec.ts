import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../src/platform/config/root.js';
import { TestApp } from '../support/app/app.js';
import { contract, isStream, operations, pathNames } from '../support/contract/contract.js';

const PROBLEM = { schema: { $ref: '#/components/schemas/Problem' } };

/** The ways to present a key or a session; test/http/security.spec.ts tries each. */
const KEY = ['ApiKeyAuthentication', 'AuthorizationKey', 'BearerKey', 'SessionCookie', 'SessionCookieWithoutTls'].map(
  (name) => ({ [name]: [] }),
);

describe.each(operations)('$method $path', (operation) => {
  it('has an id, a summary, a tag, its path names and a success', () => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary).toBeTruthy();
    expect(operation.tags).toHaveLength(1);
    expect(contract.tags.map(({ name }) => name)).toContain(operation.tags![0]);
    const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(names).toEqual(pathNames(operation.path));
    const [status, success] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'))!;
    if (operation.method === 'DELETE') {
      expect([status, success.content]).toEqual(['204', undefined]);
      return;
    }
    expect(['200', '201', '202']).toContain(status);
    const lines = ['getUserExport', 'importUserProfiles'].includes(operation.operationId)
      ? 'application/x-ndjson'
      : 'application/json';
    const type = isStream(operation) ? 'text/event-stream' : lines;
    expect(success.content?.[type]?.schema).toBeDefined();
  });

  it('says its permission and its errors, each as a problem', () => {
    const permission = operation['x-permission'];
    const errors = Object.entries(operation.responses).filter(([code]) => Number(code) >= 400 && Number(code) < 500);
    for (const [code, response] of errors) {
      const example: unknown = expect.objectContaining({ status: Number(code) });
      expect(response.content).toEqual({ 'application/problem+json': { ...PROBLEM, example } });
    }
    const codes = errors.map(([code]) => code);
    // About the caller itself: any key may ask.
    const security = operation.path === '/api/session/' && operation.method !== 'POST' ? KEY : [];
    if (!permission) return expect(operation.security).toEqual(security);
    expect(operation.description).toContain(`\`${permission}\``);
    const token = operation['x-recipient-scope'] ? [{ RecipientToken: [] }] : [];
    expect(operation.security).toEqual([...KEY, ...token]);
    expect(codes).toEqual(expect.arrayContaining(['401', '403']));
    expect(codes.includes('404')).toBe(pathNames(operation.path).length > 0);
    if (operation.requestBody) expect(codes).toEqual(expect.arrayContaining(['400', '413', '415']));
  });
});

// An operation is named by one verb and one noun: a new word stands here, on purpose.
const VERBS =
  'list get create update put delete add test mark stream trigger simulate preview cancel approve acknowledge retry replay explain revoke check flush discard plan import';
const NOUNS = `
  Device Configuration DistributionListSettings Organization OrganizationQuota OrganizationSettings OrganizationSummary UserSettings Project ProjectSettings Application StatusWebhook
  OrganizationChannel ProjectChannel OrganizationChannelWaiting ProjectChannelWaiting OrganizationChannelDomains ProjectChannelDomains ChannelState Dispatcher OrganizationOccurrence Figures UserDelivery WithheldNotification
  Event Draft Schedule EventOccurrence Template ContextSchema Notification Revision Occurrence OccurrenceProgress Delivery
  Session SessionProvider OrganizationSession OrganizationMember OrganizationMemberLink SessionLink
  Audience User UserExport UserProfile Address InboxMessage InboxMessageRead InboxCategory Category Messages Preferences DistributionList ListMember Suppression Upload ApiKey Role RecipientToken SigningSecret AuditEntry Liveness Readiness
  OrganizationLayout ProjectLayout OrganizationPartial ProjectPartial OrganizationLayoutUse ProjectLayoutUse OrganizationPartialUse ProjectPartialUse
  User UserExport UserProfile Address InboxMessage InboxMessageRead Category Preferences DistributionList ListMember Suppression ApiKey RecipientToken SigningSecret AuditEntry Liveness Readiness
`;
const PLURALS: Record<string, string> = {
  Address: 'Addresses',
  AuditEntry: 'AuditEntries',
  Category: 'Categories',
  InboxCategory: 'InboxCategories',
  Delivery: 'Deliveries',
  UserDelivery: 'UserDeliveries',
};

it('names every operation by a verb and a noun, in the plural where it is about many', () => {
  const [verbs, nouns] = [VERBS, NOUNS].map((words) => words.trim().split(/\s+/)) as [string[], string[]];
  const known = new Map(
    nouns.flatMap((noun) => [[noun, false] as const, [PLURALS[noun] ?? `${noun}s`, true] as const]),
  );
  const wrong = operations.filter(({ operationId, method, responses }) => {
    if (operationId === 'ping') return false;
    const [, verb, noun] = /^([a-z]+)([A-Z]\w*)$/.exec(operationId) ?? [];
    const schema = responses['200']?.content?.['application/json']?.schema as { type?: string } | undefined;
    const isMany =
      verb === 'list' ||
      ['addListMembers', 'importUserProfiles', 'markInboxMessages', 'streamInboxMessages'].includes(operationId);
    return (
      !verbs.includes(verb ?? '') ||
      known.get(noun ?? '') !== isMany ||
      (verb === 'list') !== (schema?.type === 'array') ||
      (verb === 'delete') !== (method === 'DELETE')
    );
  });
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
});

it('names every operation once', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('shows an example of every field', () => {
  const bare = Object.entries(contract.components.schemas).flatMap(([name, schema]) =>
    Object.entries((schema as { properties?: Record<string, object> }).properties ?? {})
      .filter(([, property]) => !('example' in property) && !('$ref' in property) && !('allOf' in property))
      .map(([field]) => `${name}.${field}`),
  );
  expect(bare).toEqual(['Problem.request_id']);
});

describe('the running service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('serves openapi.yaml, also as openapi.json', async () => {
    const committed = readFileSync(join(root, 'openapi.yaml'), 'utf8');
    const yaml = await fetch(`${app.url}/api/openapi.yaml`);
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(await yaml.text()).toBe(committed);
    const json = await fetch(`${app.url}/api/openapi.json`);
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await json.json()).toEqual(parse(committed));
    expect(contract).toEqual(parse(committed));
  });

  it.each([
    '/api/openapi.yaml',
    '/api/openapi.json',
    '/api/provisioning.schema.json',
    '/api/docs/swagger-ui-bundle.js',
  ])('compresses %s for clients that accept it', async (path) => {
    const get = (encoding: string) => fetch(app.url + path, { headers: { 'accept-encoding': encoding } });
    const [plain, small] = [await get('identity'), await get('br, gzip')];
    expect([plain, small].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect(await small.text()).toBe(await plain.text()); // fetch expands it
    expect(small.headers.get('vary')).toBe('Accept-Encoding');
  });

  it('serves the documentation of that contract', async () => {
    const page = await app.as().get('/api/docs/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Carillon API');
    const init = await fetch(`${app.url}/api/docs/swagger-ui-init.js`);
    const text = await init.text();
    for (const { path } of operations) expect(text).toContain(JSON.stringify(path));
    expect((await app.as().get('/api/docs/swagger-ui-bundle.js')).status).toBe(200);
  });

  it.each(['/api/docs', '/api/docs/', '/api/docs/?a=b', '/api/docs/index.html'])(
    'serves every file that the page at %s links to',
    async (path) => {
      const page = await fetch(app.url + path);
      const links = [...(await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
      expect(links).toHaveLength(7);
      const answers = await Promise.all(links.map((link) => fetch(new URL(link, page.url))));
      expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200));
    },
  );
});

it('says of every object in a request whether it may have other fields', () => {
  interface Schema {
    $ref?: string;
    type?: string | string[];
    properties?: Record<string, Schema>;
    additionalProperties?: unknown;
    items?: Schema;
    allOf?: Schema[];
    anyOf?: Schema[];
    oneOf?: Schema[];
  }
  const schemas = contract.components.schemas as Record<string, Schema>;
  const look = (schema: Schema, path: string): string[] => {
    if (schema.$ref) return look(schemas[schema.$ref.split('/').at(-1)!]!, `${path} ${schema.$ref.split('/').at(-1)}`);
    const isObject = [schema.type].flat().includes('object') || schema.properties !== undefined;
    const isOpen = isObject && schema.additionalProperties === undefined;
    const parts = [schema.items ?? [], schema.allOf ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat();
    return [
      ...(isOpen ? [path] : []),
      ...parts.flatMap((part) => look(part, path)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => look(part, `${path}.${name}`)),
    ];
  };
  const open = operations.flatMap(({ operationId, requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => look(schema as Schema, operationId)),
  );
  expect(open).toEqual([]);
});
