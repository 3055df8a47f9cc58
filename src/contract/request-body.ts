import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  required?: string[];
  items?: Schema;
}

/**
 * Completes what the code says about request bodies. Unknown fields are refused, so the schemas are closed. Without a required field the
 * body may be left out: it counts as an empty object.
 */
export function completeBodies({ paths, components }: OpenAPIObject): void {
  const schemas = components!.schemas as Record<string, Schema>;
  const resolve = (schema: Schema) => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema);
  for (const item of Object.values(paths)) {
    for (const { requestBody } of Object.values(item) as { requestBody?: RequestBody }[]) {
      if (!requestBody) continue;
      const schema = resolve(requestBody.content['application/json']!.schema);
      close(schema, resolve);
      requestBody.required = schema.type === 'array' || (schema.required ?? []).length > 0;
    }
  }
}

interface RequestBody {
  required?: boolean;
  content: Record<string, { schema: Schema }>;
}

function close(schema: Schema, resolve: (schema: Schema) => Schema): void {
  if (schema.items) close(resolve(schema.items), resolve);
  if (!schema.properties) return;
  schema.additionalProperties = false;
  for (const property of Object.values(schema.properties)) close(resolve(property), resolve);
}
