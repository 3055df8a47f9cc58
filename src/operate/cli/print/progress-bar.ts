const WIDTH = 30;

/** Draws on stderr if it is a terminal. Draws nothing in a pipe, or for work that is done at once. */
export function progressBar(
  what: string,
  stream: NodeJS.WriteStream = process.stderr,
): (done: number, total: number) => void {
  let drawn = false;
  return (done, total) => {
    if (!stream.isTTY || total === 0 || (!drawn && done >= total)) return;
    drawn = true;
    const full = Math.round((WIDTH * done) / total);
    const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`;
    stream.write(`\r${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${counts}${done >= total ? '\n' : ''}`);
  };
}
