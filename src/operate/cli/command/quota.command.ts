import { Command } from 'commander';
import { QUOTAS, QUOTA_NAMES } from '../../../platform/config/quota.js';
import type { QuotaName } from '../../../platform/config/quota.js';
import { withPrintOptions } from '../print/print.js';
import type { ListQuotasOptions, SetQuotasOptions } from '../quota.js';

// Loaded only when a command runs.
const quota = () => import('../quota.js');

export function quotaCommand(): Command {
  return new Command('quota')
    .description('limit what an organization may use')
    .addCommand(listCommand())
    .addCommand(setCommand());
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list the quotas of organizations and what they store, those that store most first')
    .option('--org <slug>', 'only this organization');
  return withPrintOptions(command).action(async (options: ListQuotasOptions) => (await quota()).list(options));
}

function setCommand(): Command {
  const command = new Command('set')
    .description('set quotas of an organization; every process applies them within five seconds')
    .requiredOption('--org <slug>', 'the organization')
    .option('--json', 'print JSON');
  for (const name of QUOTA_NAMES)
    command.option(
      `--${name.replaceAll('_', '-')} <number>`,
      `1 to ${QUOTAS[name].max}, or default; ${MEANINGS[name]}`,
    );
  return command.action(async (options: SetQuotasOptions) => (await quota()).set(options));
}

const MEANINGS: Record<QuotaName, string> = {
  triggers_per_second: 'triggers a second over all its keys, in each process',
  stored_mb: 'megabytes that it may store',
  notifications_per_event: 'notifications of one event',
  ruleset_kb: 'kilobytes that the notifications of one event may take together',
  send_at_days: 'days that send_at may be ahead',
  schedules: 'schedules of its events',
  files_mb: 'megabytes of files that messages carry',
  layouts: 'layouts and partials',
};
