import { describe, expect, it } from '@jest/globals';
import { provisioningSchema } from '../../src/operate/provisioning/file.js';
import { contract } from '../support/contract/contract.js';

// The same thing can be written over HTTP and in a provisioning file. The limits of HTTP stand in the DTOs, and so in openapi.yaml; the JSON Schema
// of the file is generated from them, with some parts of its own. They must be the same.

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  [keyword: string]: unknown;
}

const LIMITS = ['maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'enum'];

// [definition of the file, body of an HTTP request]
const PAIRS: [string, string][] = [
  ['organization', 'CreateOrganization'],
  ['organization', 'UpdateOrganizationSettings'],
  ['project', 'CreateProject'],
  ['application', 'CreateApplication'],
  ['event', 'CreateEvent'],
  ['event', 'UpdateEvent'],
  ['category', 'CreateCategory'],
  ['category', 'UpdateCategory'],
  ['preferences', 'UpdatePreferences'],
  ['channel', 'CreateChannel'],
  ['channel', 'UpdateChannel'],
  ['user', 'CreateUser'],
  ['user', 'UpdateUser'],
  ['user', 'UpdateUserSettings'],
  ['address', 'CreateAddress'],
  ['member', 'UpdateMember'],
  ['notification', 'CreateNotification'],
  ['notification', 'UpdateNotification'],
  ['template', 'CreateTemplate'],
  ['weeklyRange', 'CreateWeeklyRange'],
  ['statusWebhook', 'PutStatusWebhook'],
];

const { definitions } = provisioningSchema as { definitions: Record<string, Schema> };
const schemas = contract.components.schemas as Record<string, Schema>;

const named = (ref: string) => ref.split('/').at(-1)!;
const inFile = (schema: Schema): Schema => (schema.$ref ? definitions[named(schema.$ref)]! : schema);

const limitsOf = (schema: Schema): object =>
  Object.fromEntries([
    ...LIMITS.filter((limit) => limit in schema).map((limit) => [limit, schema[limit]]),
    ...(schema.items && 'enum' in schema.items ? [['items', schema.items.enum]] : []),
  ]);

describe('the limits of a field', () => {
  it.each(PAIRS)('are the same in a file (%s) and over HTTP (%s)', (definition, body) => {
    const file = definitions[definition]!.properties!;
    const http = schemas[body]!.properties!;
    // An e-mail is checked by the same function both ways.
    const shared = Object.keys(http).filter((field) => field in file && !('format' in inFile(file[field]!)));
    expect(shared.length).toBeGreaterThan(0);
    for (const field of shared) {
      const wanted = limitsOf(http[field]!);
      expect({ field, ...limitsOf(inFile(file[field]!)) }).toEqual({ field, ...wanted });
    }
  });

  it('and the pattern of a slug are the same too', () => {
    expect(inFile(definitions.organization!.properties!.slug!).pattern).toBe(
      schemas.CreateOrganization!.properties!.slug!.pattern,
    );
  });
});
