/** Printable ASCII without `#` and `?`. Express has its own rules for every other character. */
const PLAIN_PATH = /^\/[!-"$->@-~]*$/;
const PARAMETER = /^:(\w+)$/;
const LITERAL = /^[\w.-]+$/;

/** A literal step, or null where a parameter stands. */
type Step = string | null;

interface Route<Target> {
  steps: Step[];
  /** The same steps in lower case: Express ignores case. */
  lowerSteps: Step[];
  /** Names of the parameters, in order. */
  names: string[];
  target: Target;
}

export interface FoundRoute<Target> {
  target: Target;
  params: Record<string, string>;
}

/**
 * Finds the route of a request by its method and the steps of its path. Express tries the regular expression of every route in
 * turn; the table compares a few strings.
 *
 * The table never finds a route that Express would not choose. It returns null for a request that it is not sure about, and
 * Express then looks for the route.
 */
export class RouteTable<Target> {
  /** By method and number of steps: `GET3`. */
  private readonly routes = new Map<string, Route<Target>[]>();

  /** Whether the table understands the path of a route: literals and whole-step parameters, as in `/a/:name/b`. */
  static accepts(path: string): boolean {
    return path === '/' || stepsOf(path).every((step) => PARAMETER.test(step) || LITERAL.test(step));
  }

  /** Adds a route whose path the table accepts. */
  add(method: string, path: string, target: Target): void {
    const steps = stepsOf(path).map((step) => (PARAMETER.test(step) ? null : step));
    const lowerSteps = steps.map((step) => step?.toLowerCase() ?? null);
    const names = stepsOf(path).flatMap((step) => PARAMETER.exec(step)?.[1] ?? []);
    const key = `${method}${steps.length}`;
    this.routes.set(key, [...(this.routes.get(key) ?? []), { steps, lowerSteps, names, target }]);
  }

  /** The first route that Express would choose, if the path is also written as the route is. */
  find(method: string, path: string): FoundRoute<Target> | null {
    if (!PLAIN_PATH.test(path)) return null;
    const steps = stepsOf(path);
    const lowerPath = path.toLowerCase();
    const lowerSteps = lowerPath === path ? steps : stepsOf(lowerPath);
    const route = this.routes.get(`${method}${steps.length}`)?.find((each) => fits(each.lowerSteps, lowerSteps));
    if (!route || !fits(route.steps, steps)) return null;
    const params = paramsOf(route, steps);
    return params && { target: route.target, params };
  }
}

/** Whether the path is made of literals alone. */
export function isLiteral(path: string): boolean {
  return stepsOf(path).every((step) => LITERAL.test(step));
}

/**
 * Whether some request for the route is also a request for something below the prefix, which is literal. `/:any/file` may lie
 * below `/assets`; `/api/file` does not.
 */
export function mayLieBelow(prefix: string, path: string): boolean {
  const steps = stepsOf(path.toLowerCase());
  return stepsOf(prefix.toLowerCase()).every(
    (step, i) => steps[i] !== undefined && (PARAMETER.test(steps[i]) || steps[i] === step),
  );
}

/** The steps without the first slash and without a slash at the end: a path means the same with and without it. */
function stepsOf(path: string): string[] {
  return path.slice(1, path.endsWith('/') ? -1 : undefined).split('/');
}

function fits(expected: Step[], steps: string[]): boolean {
  for (let i = 0; i < steps.length; i++) {
    if (expected[i] === null ? steps[i] === '' : expected[i] !== steps[i]) return false;
  }
  return true;
}

/** Null for an escape that does not decode: Express knows what to answer. */
function paramsOf({ steps: expected, names }: Route<unknown>, steps: string[]): Record<string, string> | null {
  const params: Record<string, string> = Object.create(null) as Record<string, string>;
  let n = 0;
  try {
    for (let i = 0; i < steps.length; i++) if (expected[i] === null) params[names[n++]!] = decode(steps[i]!);
  } catch {
    return null;
  }
  return params;
}

function decode(step: string): string {
  return step.includes('%') ? decodeURIComponent(step) : step;
}
