import { isStream, operations } from './contract.js';
import type { Operation } from './contract.js';

/** Operations whose example the demo refuses, each with its status: the reason is in the text of the operation. */
const REFUSED: Record<string, number> = {
  // The demo has no channel whose provider could be asked.
  ...{ checkOrganizationChannel: 409, checkProjectChannel: 409 },
  // They need the key of an operator.
  ...{ createOrganization: 403, updateOrganization: 403, deleteOrganization: 403, updateOrganizationQuota: 403 },
  // The occurrence is over, and was never held.
  ...{ cancelOccurrence: 409, approveOccurrence: 409 },
  // The text of a key is not in the contract, and nobody is signed in with a browser.
  ...{ createSession: 401, createSessionLink: 409, deleteSession: 404, deleteOrganizationSession: 404 },
  // Each upload has an id that cannot be foreseen.
  ...{ getUpload: 404, deleteUpload: 404 },
  // They hold what the examples have created.
  ...{ deleteApplication: 409, deleteProject: 409 },
};

/** What is still there when it is the turn of an operation: everything is tried once before it is deleted, the deepest first. */
const turn = ({ method, path }: Operation) => (method === 'DELETE' ? -path.split('/').length : -1000);

const successOf = ({ responses }: Operation) => Number(Object.keys(responses).find((status) => status.startsWith('2')));

/** Every operation, in an order in which all of them work on a new demo, with the status that it answers. */
export const tries = [...operations]
  .sort((a, b) => turn(a) - turn(b))
  .map((operation) => ({ operation, status: REFUSED[operation.operationId] ?? successOf(operation) }));

interface Example {
  example?: unknown;
}

/** The request that Swagger UI fills in. */
export function filledIn(operation: Operation): { path: string; bodies: unknown[]; isStream: boolean } {
  const inPath = (name: string) =>
    operation.parameters.find((each) => each.in === 'path' && each.name === name) as Example;
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (each as Example).example !== undefined)
    .map(({ name, ...each }) => `${name}=${encodeURIComponent(String((each as Example).example))}`);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inPath(name).example)),
  );
  const content = operation.requestBody?.content['application/json'] as
    | { example?: unknown; examples?: Record<string, { value: unknown }> }
    | undefined;
  const bodies = content?.examples ? Object.values(content.examples).map(({ value }) => value) : [content?.example];
  return {
    path: [path, ...(query.length > 0 ? [query.join('&')] : [])].join('?'),
    bodies,
    isStream: isStream(operation),
  };
}
