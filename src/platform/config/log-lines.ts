let buffered = '';

/**
 * Writes a line to standard output at the end of this turn of the event loop, together with the other lines of the turn. A busy
 * process ends about thirty requests per turn, and one write costs as much as building one line.
 */
export function writeLine(line: string): void {
  if (buffered === '') setImmediate(flushLines);
  buffered += line;
}

/** Writes the buffered lines now: before a line that must not wait, and when the process exits. */
export function flushLines(): void {
  const lines = buffered;
  buffered = '';
  if (lines !== '') process.stdout.write(lines);
}

process.on('exit', flushLines);
