import type { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { LogThrottle } from '../http/log-throttle.js';
import { AnswerOverdue } from './connection/session-client.js';

/**
 * Keeps the process alive when connections are lost. A lost connection emits an `error` event: on the pool if it was idle, on the client if
 * it was in use. An `error` event without a listener ends the process. The caller of a query still sees the query fail.
 */
export function surviveLostConnections(pool: Pool, logger: Logger): void {
  const seldom = new LogThrottle();
  pool.on('error', ({ message: error }) =>
    seldom.log(error, (more) => logger.warn({ message: 'database connection lost', error, ...more })),
  );
  // Callers log or answer the failure of their statement. Only this line says that the database itself may be well.
  const overdue = (error: Error) => {
    if (error instanceof AnswerOverdue)
      seldom.log(error.message, (more) =>
        logger.warn({ message: 'database connection given up', error: error.message, ...more }),
      );
  };
  pool.on('connect', (client) => void client.on('error', overdue));
}
