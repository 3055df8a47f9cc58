import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { ProvisioningService } from '../provisioning/provisioning.service.js';
import type { Change } from '../provisioning/rows.js';
import { CommandError, print, withServices } from './context.js';
import { progressBar } from './progress-bar.js';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

export function applyCommand(): Command {
  return new Command('apply')
    .description('make the database agree with a provisioning file; twice changes nothing')
    .argument('<file>', 'YAML; - reads standard input')
    .option('--dry-run', 'print what would change, change nothing')
    .option('--json', 'print data, not words')
    .action(async (file: string, { dryRun = false, json }: Options) => {
      const text = readInput(file);
      const changes = await withServices((services) => {
        const folder = file === '-' ? '.' : dirname(file);
        return services.get(ProvisioningService).apply(text, { dryRun, folder, env: process.env, progress: progressBar('people') });
      });
      print(json, { dry_run: dryRun, changes }, report(changes, dryRun));
    });
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
