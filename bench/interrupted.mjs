/** Rejects on a stop signal, and on an error that nothing else catches. */
export const interrupted = new Promise((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => reject(new Error(`stopped by ${signal}`)));
  process.on('uncaughtException', reject);
  process.on('unhandledRejection', reject);
});
interrupted.catch(() => undefined);
