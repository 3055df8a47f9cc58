import type { ContextSchema, UsedBy } from '@carillon/client';

export interface ContextField {
  /** `order.id`; of the items of a list `items[].name`. */
  name: string;
  isRequired: boolean;
  uses: UsedBy[];
}

interface Node {
  type?: string | string[];
  properties?: Record<string, Node>;
  items?: Node;
  required?: string[];
  'x-used-by'?: UsedBy[];
}

/** The fields of a schema, nested ones by their whole name. */
export const fieldsOf = (schema: ContextSchema): ContextField[] => below(schema as Node, '', true);

function below({ properties = {}, required = [] }: Node, prefix: string, isNeeded: boolean): ContextField[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const isRequired = isNeeded && required.includes(name);
    const field = { name: prefix + name, isRequired, uses: node['x-used-by'] ?? [] };
    const inItems = node.items ? below(node.items, `${prefix}${name}[].`, isRequired) : [];
    return [field, ...below(node, `${prefix}${name}.`, isRequired), ...inItems];
  });
}

/** A context with every field of the schema, to start from. */
export const sampleOf = (schema: ContextSchema | undefined): Record<string, unknown> =>
  // An event without rules uses no fields.
  ({ ...(schema && (sample(schema as Node) as Record<string, unknown> | null)) });

function sample(node: Node): unknown {
  if (node.properties)
    return Object.fromEntries(Object.entries(node.properties).map(([name, below]) => [name, sample(below)]));
  if (node.items) return [sample(node.items)];
  const types = [node.type ?? 'string'].flat();
  if (types.includes('string')) return '…';
  return types.includes('number') ? 1 : types.includes('boolean') ? true : types.includes('array') ? [] : null;
}
