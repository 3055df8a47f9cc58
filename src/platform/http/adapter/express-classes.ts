import { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from 'express';

/**
 * Request and response classes for `createServer` that have Express's methods from the start. Express otherwise gives every request
 * and every response a new prototype, after which V8 forgets what it knew about their shape.
 *
 * The properties that Express sets on every request are on the prototypes, so that they are also there, and cost nothing, where
 * Express does not see the request.
 */
export function expressClasses(app: Application) {
  const { request, response } = app as unknown as { request: object; response: object };
  Object.assign(request, { baseUrl: '' });
  Object.defineProperty(response, 'locals', {
    configurable: true,
    get(this: object): unknown {
      return setLocals(this, Object.create(null));
    },
    set(this: object, locals: unknown) {
      setLocals(this, locals);
    },
  });
  return {
    IncomingMessage: withPrototype(IncomingMessage, request),
    ServerResponse: withPrototype(ServerResponse, response),
  };
}

function setLocals(response: object, value: unknown): unknown {
  Object.defineProperty(response, 'locals', { value, writable: true, enumerable: true, configurable: true });
  return value;
}

function withPrototype<Class extends typeof IncomingMessage | typeof ServerResponse>(Class: Class, prototype: object) {
  function WithPrototype(this: object, ...args: unknown[]): void {
    (Class as unknown as (...args: unknown[]) => void).apply(this, args);
  }
  // As with `extends`. V8 sizes an object by the properties that the chain of constructors sets. Without the chain it leaves room for
  // too few, and turns each request and response into a hash table, which made a ping 15% slower.
  Object.setPrototypeOf(WithPrototype, Class);
  WithPrototype.prototype = prototype;
  return WithPrototype as unknown as Class;
}
