import { parser } from '@prometheus-io/lezer-promql';

/** The metrics that a query asks for, by Prometheus's own grammar; fails when it is no query. */
export function metricsIn(query: string): string[] {
  const names: string[] = [];
  parser.parse(query).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`no query: ${query}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.push(query.slice(from, to));
    },
  });
  return names;
}
