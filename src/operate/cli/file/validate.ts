import { visibleLines } from '../../../platform/config/visible.js';
import { resolveReferences } from '../../provisioning/apply/references.js';
import { readProvisioningFile } from '../../provisioning/file-check.js';
import { validateFile } from '../../provisioning/validate/validate-file.js';
import { print } from '../print/print.js';
import { folderOf } from './apply-target.js';
import { knownDispatchers } from './known-dispatchers.js';
import { readSource } from './read-source.js';

/** Checks a file without a database, a service or the values of secrets. */
export async function validate(file: string, options: { json?: boolean }): Promise<void> {
  const source = readSource(file, null);
  const { file: entries, problems } = readProvisioningFile(source.text, source.name);
  const dispatchers = knownDispatchers();
  resolveReferences(entries, { env: source.env, folder: folderOf(source), dispatchers }, problems);
  validateFile(entries, dispatchers, problems);
  const warnings = problems.warningLines();
  for (const text of warnings) process.stderr.write(`warning: ${visibleLines(text)}\n`);
  problems.refuse();
  await print(options, { valid: true, warnings }, 'valid');
}
