import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '../config/config.js';
import { pathOf } from '../http/path-of.js';
import type { Measured } from './metrics.js';

/** Serves the metrics of one or several processes at `/metrics`. Returns the function that stops it. */
export async function serveMetrics(
  { metricsHost, metricsPort }: Config,
  measure: () => Promise<Measured[]>,
): Promise<() => void> {
  const logger = new Logger('Metrics');
  const server = createServer((request, response) => {
    if (pathOf(request.url ?? '') !== '/metrics') return void response.writeHead(404).end('see /metrics\n');
    textOf(measure).then(
      (text) => response.setHeader('Content-Type', AggregatorRegistry.PROMETHEUS_CONTENT_TYPE).end(text),
      (error: unknown) => {
        logger.error({ message: 'could not read metrics', error: String(error) });
        response.writeHead(500).end();
      },
    );
  });
  server.listen(metricsPort!, metricsHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  logger.log({ message: 'metrics', url: `http://${metricsHost}:${port}/metrics` });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

async function textOf(measure: () => Promise<Measured[]>): Promise<string> {
  const measured = await measure();
  // Each process has its own label: when one restarts, a sum over all would fall and look like a restart of all.
  const labelOf = (index: number) => (measured.length === 1 ? {} : { process: index + 1 });
  return AggregatorRegistry.aggregate(measured.map((each, index) => withLabel(each, labelOf(index)))).metrics();
}

function withLabel(measured: Measured, label: { process?: number }): Measured {
  return measured.map((metric) => ({
    ...metric,
    aggregator: 'first', // there is only one: each process has its own label
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...label } })),
  }));
}
