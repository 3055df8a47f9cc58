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

/** Their names alone, without those that hold others. */
export function namesOf(schema: ContextSchema | undefined): string[] {
  const names = schema ? fieldsOf(schema).map(({ name }) => name) : [];
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}.`) || other.startsWith(`${name}[`)));
}
