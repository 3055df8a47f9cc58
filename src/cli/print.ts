/** Data for programs with `--json`, words for people without. */
export function print(json: boolean | undefined, data: unknown, words: string): void {
  process.stdout.write(json ? JSON.stringify(data) + '\n' : words.endsWith('\n') ? words : `${words}\n`);
}

/** Something a person can mend; its message is all they see. */
export class CommandError extends Error {}

export function cannotRead(file: string, error: unknown): CommandError {
  return new CommandError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
}
