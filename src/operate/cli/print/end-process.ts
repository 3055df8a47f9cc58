/**
 * Ends the process as soon as everything that it printed has left it. Every command ends here, so that nothing that is still open keeps one
 * alive: a connection that is being opened, or a provider that has not answered yet.
 */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
}

/** The callback of a write runs after those of all earlier writes. Nobody may read any more: that is an error, but not ours. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}
