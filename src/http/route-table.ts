/** Printable ASCII: what is beside it, or a fragment, Express reads in ways of its own. */
const PLAIN_PATH = /^\/[!-"$->@-~]*$/;
const NAME = /^:(\w+)$/;
const LITERAL = /^[\w.-]+$/;

interface Route<Target> {
  /** A literal, or null where a name stands. */
  steps: (string | null)[];
  names: string[];
  target: Target;
}

export interface Found<Target> {
  target: Target;
  params: Record<string, string>;
}

/**
 * Routes by method and number of steps. Express tries one regular expression after the other, those of all the other routes
 * first; here a few words are compared. What the table does not know, or not in this spelling, is left to Express: it must
 * never answer what Express would not.
 */
export class RouteTable<Target> {
  private readonly routes = new Map<string, Route<Target>[]>();

  /** Adds `/a/:name/b`; false when the path is of a kind that only Express understands. */
  add(method: string, path: string, target: Target): boolean {
    const steps = stepsOf(path);
    if (!steps.every((step) => NAME.test(step) || LITERAL.test(step))) return false;
    const names = steps.flatMap((step) => NAME.exec(step)?.[1] ?? []);
    const route = { steps: steps.map((step) => (NAME.test(step) ? null : step)), names, target };
    const key = `${method}${steps.length}`;
    this.routes.set(key, [...(this.routes.get(key) ?? []), route]);
    return true;
  }

  /** The route that was added first of those that fit. */
  find(method: string, path: string): Found<Target> | null {
    if (!PLAIN_PATH.test(path)) return null;
    const steps = stepsOf(path);
    const route = this.routes.get(`${method}${steps.length}`)?.find((each) => fits(each.steps, steps));
    return route ? { target: route.target, params: paramsOf(route, steps) } : null;
  }
}

/** Without the slash at the start, nor one at the end: a path means the same with and without it. */
function stepsOf(path: string): string[] {
  return path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');
}

function fits(expected: (string | null)[], steps: string[]): boolean {
  for (let i = 0; i < steps.length; i++) {
    if (expected[i] === null ? steps[i] === '' : expected[i] !== steps[i]) return false;
  }
  return true;
}

function paramsOf({ steps: expected, names }: Route<unknown>, steps: string[]): Record<string, string> {
  const params: Record<string, string> = Object.create(null) as Record<string, string>;
  let n = 0;
  for (let i = 0; i < steps.length; i++) if (expected[i] === null) params[names[n++]!] = decode(steps[i]!);
  return params;
}

function decode(step: string): string {
  return step.includes('%') ? decodeURIComponent(step) : step;
}
