import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { resolveReferences } from '../../provisioning/apply/references.js';
import { readProvisioningFile } from '../../provisioning/file-check.js';
import type { ProvisioningFile } from '../../provisioning/file.js';
import type { FileProblems } from '../../provisioning/problem/file-problems.js';
import { validateFile } from '../../provisioning/validate/validate-file.js';
import { folderOf } from './apply-target.js';
import { knownDispatchers } from './known-dispatchers.js';
import { readSource } from './read-source.js';

interface ValidatedFile {
  file: ProvisioningFile;
  problems: FileProblems;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

/** Reads and checks a file without a database, a service or the values of secrets. */
export function validatedFile(path: string): ValidatedFile {
  const source = readSource(path, null);
  const { file, problems } = readProvisioningFile(source.text, source.name);
  const dispatchers = knownDispatchers();
  resolveReferences(file, { env: source.env, folder: folderOf(source), dispatchers }, problems);
  validateFile(file, dispatchers, problems);
  return { file, problems, dispatchers };
}
