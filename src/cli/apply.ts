import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ProvisioningService } from '../provisioning/provisioning.service.js';
import type { Change } from '../provisioning/rows.js';
import { withServices } from './context.js';
import { CommandError, print } from './print.js';
import { progressBar } from './progress-bar.js';

export interface ApplyCommandOptions {
  dryRun?: boolean;
  json?: boolean;
}

export async function apply(file: string, { dryRun = false, json }: ApplyCommandOptions): Promise<void> {
  const text = readInput(file);
  const folder = file === '-' ? '.' : dirname(file);
  const changes = await withServices((services) =>
    services
      .get(ProvisioningService)
      .apply(text, { dryRun, folder, env: process.env, progress: progressBar('people') }),
  );
  print(json, { dry_run: dryRun, changes }, report(changes, dryRun));
}

function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
  }
}

function report(changes: Change[], dryRun: boolean): string {
  const lines = changes.map(({ verb, noun, name }) => `${verb} ${noun} ${name}`);
  if (lines.length === 0) return 'nothing to change';
  return [...lines, dryRun ? 'nothing was changed (dry run)' : 'done'].join('\n');
}
