import { ProvisioningService } from '../../provisioning/provisioning.service.js';
import { progressBar } from '../print/progress-bar.js';
import { withProvisioning } from '../provisioning-services.js';
import { folderOf } from './apply-target.js';
import type { ApplyTarget, FileSource } from './apply-target.js';

const EVERYBODY = 2 ** 31 - 1;

/** Runs a command that applies the file to the database. */
export const withDatabaseTarget = <Result>(source: FileSource, work: (target: ApplyTarget) => Promise<Result>) =>
  withProvisioning((services) =>
    work(async ({ dryRun, prune, namesAll, agreed }) => {
      const warnings = new Set<string>();
      const changes = await services.get(ProvisioningService).apply(source.text, {
        ...{
          dryRun,
          prune,
          agreed: agreed?.changes,
          folder: folderOf(source),
          env: source.env ?? {},
          name: source.name,
        },
        ...(namesAll && { maxNames: EVERYBODY }),
        // A user counts once, and once more in each list.
        progress: progressBar('users and members'),
        warn: (text) => warnings.add(text),
      });
      return { changes, warnings: [...warnings] };
    }),
  );
