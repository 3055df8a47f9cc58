import { createServer, request as send } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';

/** A proxy that serves the app below `path`, and strips it. Answers its origin. */
export function useSubPath(path: string): (url: string) => Promise<string> {
  const proxies: Server[] = [];
  afterAll(() => proxies.forEach((proxy) => proxy.close()));
  return async (url) => {
    const proxy = createServer((incoming, outgoing) => {
      if (!incoming.url!.startsWith(`${path}/`)) return outgoing.writeHead(404).end();
      const { method, headers } = incoming;
      const asked = send(url + incoming.url!.slice(path.length), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      return incoming.pipe(asked);
    });
    proxies.push(proxy);
    await new Promise<void>((listens) => proxy.listen(0, '127.0.0.1', listens));
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  };
}
