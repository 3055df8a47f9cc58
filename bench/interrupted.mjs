/** Rejects on a stop signal, and on an error that nothing else catches. */
export const interrupted = new Promise((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => reject(new Error(`stopped by ${signal}`)));
  // It may come before anybody waits for this promise, such as from an import.
  const fail = (error) => {
    process.exitCode = 1;
    console.error(error);
    reject(error);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
});
interrupted.catch(() => undefined);
