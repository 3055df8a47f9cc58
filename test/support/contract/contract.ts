import { publishedContract } from '../../../src/platform/config/published-contract.js';

interface Reference {
  $ref: string;
}

export interface Operation {
  method: string;
  path: string;
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  'x-permission'?: string;
  'x-recipient-scope'?: string;
  'x-reach'?: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

/** As the build made it of openapi.yaml; test/shape/contract.spec.ts compares the two. */
export const contract = JSON.parse(publishedContract.json) as {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};

function resolve<T>(value: T | Reference): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  const steps = value.$ref.split('/').slice(1);
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], contract) as T;
}

/** The operations of openapi.yaml, with their references resolved one level deep. */
export const operations: Operation[] = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters.map((parameter) => resolve(parameter)),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, resolve(response)]),
    ),
  })),
);

export const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Whether an operation answers with server-sent events, which go on. */
export const isStream = ({ responses }: Operation) => 'text/event-stream' in (responses['200']?.content ?? {});
