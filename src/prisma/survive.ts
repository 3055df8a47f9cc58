import type { Logger } from '@nestjs/common';
import type { Pool } from 'pg';

/**
 * Lets the process live on when connections are lost. A lost connection speaks up as an event, on the pool when it was idle
 * and on the client when it was in use; an event of this kind that nobody listens to ends the process. Whoever waits for a
 * query learns of it by its failure.
 */
export function survive(pool: Pool, logger: Logger): void {
  pool.on('error', (error) => logger.warn({ message: 'connection lost', error: error.message }));
  pool.on('connect', (client) => void client.on('error', () => undefined));
}
