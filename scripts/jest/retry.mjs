import { sep } from 'node:path';

const FAULTS = `${sep}test${sep}faults${sep}`;

/** The failed files that run once more: none if a file of another folder failed, because the run fails anyway. */
export function filesToRetry(failedFiles) {
  return failedFiles.every((file) => file.includes(FAULTS)) ? failedFiles : [];
}
