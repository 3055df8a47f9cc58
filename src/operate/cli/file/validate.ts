import { visibleLines } from '../../../platform/config/visible.js';
import { print } from '../print/print.js';
import { validatedFile } from './validated-file.js';

/** Checks a file without a database, a service or the values of secrets. */
export async function validate(file: string, options: { json?: boolean }): Promise<void> {
  const { problems } = validatedFile(file);
  const warnings = problems.warningLines();
  for (const text of warnings) process.stderr.write(`warning: ${visibleLines(text)}\n`);
  problems.refuse();
  await print(options, { valid: true, warnings }, 'valid');
}
