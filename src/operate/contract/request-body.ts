import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUEST_EXAMPLES } from './request-examples.js';

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/**
 * Completes what the code says about request bodies. Unknown fields are refused, so the schemas are closed. Without a required field the
 * body may be left out: it counts as an empty object. Each body gets an example that works on the demo.
 */
export function completeBodies({ paths, components }: OpenAPIObject): void {
  const schemas = components!.schemas as Record<string, Schema>;
  const resolve = (schema: Schema) => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema);
  for (const item of Object.values(paths)) {
    for (const { operationId, requestBody } of Object.values(item) as WithBody[]) {
      if (!requestBody) continue;
      const content = Object.values(requestBody.content)[0]!;
      if (!content.examples) content.example = exampleFor(operationId);
      const schema = resolve(content.schema);
      close(schema, resolve);
      requestBody.required = schema.type === 'array' || (schema.required ?? []).length > 0;
    }
  }
}

interface WithBody {
  operationId: string;
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: Schema; example?: unknown; examples?: object }>;
  };
}

function exampleFor(operationId: string): unknown {
  const example = REQUEST_EXAMPLES[operationId];
  if (example === undefined) throw new Error(`${operationId} has no example: add it to REQUEST_EXAMPLES`);
  return example;
}

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;

function close(schema: Schema, resolve: (schema: Schema) => Schema): void {
  const parts = [...(schema.items ? [schema.items] : []), ...PARTS.flatMap((part) => schema[part] ?? [])];
  for (const part of parts) close(resolve(part), resolve);
  if (!schema.properties) return;
  schema.additionalProperties = false;
  for (const property of Object.values(schema.properties)) close(resolve(property), resolve);
}
