import type { Readable } from 'node:stream';
import { ImportService } from '../../provisioning/user-files/import.service.js';
import type { ImportOptions, ImportResult } from '../../provisioning/user-files/import.service.js';
import { withProvisioning } from '../provisioning-services.js';
import type { ImportOwner } from './import-owner.js';

/** Imports the rows into the database, in one transaction. */
export const importIntoDatabase = (
  owner: ImportOwner,
  input: Readable,
  options: ImportOptions,
): Promise<ImportResult> =>
  withProvisioning((services) => {
    const { org, list } = owner;
    const imports = services.get(ImportService);
    return list ? imports.members({ org, ...list }, input, options) : imports.users(org, input, options);
  });
