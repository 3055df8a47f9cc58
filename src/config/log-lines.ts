let waiting = '';

/**
 * Writes a line to standard output, together with the others of this turn of the event loop: a busy process ends some thirty
 * requests in one, and a write costs as much as all that makes the line.
 */
export function writeLine(line: string): void {
  if (waiting === '') setImmediate(writeLines);
  waiting += line;
}

/** Now: before what may not wait, and when the process ends. */
export function writeLines(): void {
  const lines = waiting;
  waiting = '';
  if (lines !== '') process.stdout.write(lines);
}

process.on('exit', writeLines);
