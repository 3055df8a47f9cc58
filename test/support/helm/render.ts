import { FUNCTIONS, isTrue, printed } from './functions.js';
import { parseTemplate } from './syntax.js';
import type { Node, Operand, Pipeline } from './syntax.js';

type Variables = Record<string, unknown>;

/** Renders Go templates, as Helm does. Stricter where Helm is silent: a missing value that is printed is an error. */
export class Renderer {
  private readonly defined = new Map<string, Node[]>();
  private readonly files = new Map<string, Node[]>();

  constructor(templates: Record<string, string>) {
    for (const [file, text] of Object.entries(templates)) {
      const nodes = attempt(file, () => parseTemplate(text));
      this.files.set(file, nodes);
      for (const node of nodes) if (node.kind === 'define') this.define(node.name, node.body);
    }
  }

  render(file: string, root: unknown): string {
    return attempt(file, () => this.print(this.files.get(file)!, root, { $: root }));
  }

  private define(name: string, body: Node[]): void {
    if (this.defined.has(name)) throw new Error(`${name} is defined twice`);
    this.defined.set(name, body);
  }

  private include(name: string, dot: unknown): string {
    const body = this.defined.get(name);
    if (!body) throw new Error(`${name} is not defined`);
    return this.print(body, dot, { $: dot });
  }

  private print(nodes: Node[], dot: unknown, outer: Variables): string {
    const variables = Object.create(outer) as Variables;
    return nodes.map((node) => this.printNode(node, dot, variables)).join('');
  }

  private printNode(node: Node, dot: unknown, variables: Variables): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'define') return '';
    const value = this.evaluate(node.pipeline, dot, variables);
    if (node.kind === 'print') return printed(value);
    if (node.kind === 'declare') {
      variables[node.name] = value;
      return '';
    }
    if (node.kind === 'range') return this.printEach(node, value, variables);
    if (!isTrue(value)) return this.print(node.otherwise, dot, variables);
    return this.print(node.body, node.kind === 'with' ? value : dot, variables);
  }

  /** `$item` of a list, or `$key, $item` of a map. */
  private printEach({ names, body }: Node & { kind: 'range' }, value: unknown, variables: Variables): string {
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value ?? {}).sort(byKey);
    const [item, key] = [...names].reverse();
    return entries
      .map(([at, each]) => {
        const named = { [item!]: each as unknown, ...(key && { [key]: at }) };
        return this.print(body, each, Object.assign(Object.create(variables) as Variables, named));
      })
      .join('');
  }

  private evaluate(pipeline: Pipeline, dot: unknown, variables: Variables): unknown {
    return pipeline.reduce<unknown>((piped, [first, ...rest], index) => {
      const args = rest.map((operand) => this.operand(operand, dot, variables));
      if (index > 0) args.push(piped);
      if (first!.kind === 'function') return this.call(first!.name, args);
      if (args.length > 0) throw new Error('only a function takes arguments');
      return this.operand(first!, dot, variables);
    }, undefined);
  }

  private operand(operand: Operand, dot: unknown, variables: Variables): unknown {
    if (operand.kind === 'literal') return operand.value;
    if (operand.kind === 'group') return this.evaluate(operand.pipeline, dot, variables);
    if (operand.kind === 'function') throw new Error(`${operand.name} is called without parentheses`);
    const { from, fields } = operand;
    let value = from === null ? dot : known(from, variables);
    for (const field of fields) {
      if (value === null || typeof value !== 'object')
        throw new Error(`nothing has the field ${field} of ${fields.join('.')}`);
      value = (value as Record<string, unknown>)[field];
    }
    return value;
  }

  private call(name: string, args: unknown[]): unknown {
    if (name === 'include') return this.include(args[0] as string, args[1]);
    const call = FUNCTIONS[name];
    if (!call) throw new Error(`the function ${name} is unknown`);
    return call(...(args as never[]));
  }
}

const byKey = ([a]: [unknown, unknown], [b]: [unknown, unknown]) => (String(a) < String(b) ? -1 : 1);

function known(name: string, variables: Variables): unknown {
  if (!(name in variables)) throw new Error(`the variable ${name} is not declared`);
  return variables[name];
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
