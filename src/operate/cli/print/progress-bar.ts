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

/** Counts on stderr, if it is a terminal, where the total is not known. Draws nothing for work that is done at once. */
export function progressCount(what: string, stream: NodeJS.WriteStream = process.stderr) {
  let [count, steps] = [0, 0];
  const isDrawn = () => stream.isTTY && steps > 1;
  return {
    add(more: number): void {
      count += more;
      steps++;
      if (isDrawn()) stream.write(`\r${count.toLocaleString('en')} ${what}`);
    },
    end(): void {
      if (isDrawn()) stream.write('\n');
    },
  };
}
