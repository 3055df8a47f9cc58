import { Command } from 'commander';
import { processCount, readConfig } from '../../../platform/config/config.js';
import { version } from '../../../platform/config/version.js';
import { channelCommand } from '../remote/command/channel.command.js';
import { explainCommand, simulateCommand, tailCommand, triggerCommand } from '../remote/command/event.command.js';
import { previewCommand } from '../preview/preview.command.js';
import { dkimCommand } from '../dkim/dkim.command.js';
import { providerCommand } from '../provider/provider.command.js';
import { completionCommand } from '../completion/completion.command.js';
import { profileCommand } from '../remote/command/profile.command.js';
import { userCommand } from '../remote/command/user.command.js';
import { acceptBeforeCommand } from '../remote/before-command.js';
import { applyCommand, planCommand, validateCommand } from './apply.command.js';
import { auditCommand } from './audit.command.js';
import { cellsCommand } from './cells.command.js';
import { consoleCommand } from './console.command.js';
import { doctorCommand } from './doctor.command.js';
import { exportCommand } from './export.command.js';
import { importCommand } from './import.command.js';
import { keyCommand } from './key.command.js';
import { migrateCommand } from './migrate.command.js';
import { moveCommand } from './move.command.js';
import { quotaCommand } from './quota.command.js';
import { resealCommand } from './reseal.command.js';
import { suppressionCommand } from './suppression.command.js';

/** Every command of `carillon`. */
export function createProgram(): Command {
  const program = new Command('carillon')
    .description('Self-hosted, multi-tenant notification service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(see npx carillon --help)');
  const commands = [
    startCommand(),
    migrateCommand(),
    applyCommand(),
    planCommand(),
    validateCommand(),
    previewCommand(),
    exportCommand(),
    importCommand(),
    triggerCommand(),
    simulateCommand(),
    explainCommand(),
    tailCommand(),
    userCommand(),
    channelCommand(),
    profileCommand(),
    keyCommand(),
    consoleCommand(),
    suppressionCommand(),
    quotaCommand(),
    dkimCommand(),
    providerCommand(),
    resealCommand(),
    auditCommand(),
    cellsCommand(),
    moveCommand(),
    doctorCommand(),
    completionCommand(),
  ];
  for (const command of commands) program.addCommand(overrideExit(command));
  return acceptBeforeCommand(program);
}

function startCommand(): Command {
  return new Command('start')
    .description('run the service (.env.example describes its settings)')
    .option('--processes <number>', 'number of processes on one port; auto: one per core', (value) =>
      processCount(value, '--processes'),
    )
    .action(async ({ processes }: { processes?: number }) => {
      const config = readConfig();
      // Loaded late, so that help and an invalid setting are printed at once.
      const { serve } = await import('../../start/server.js');
      await serve({ ...config, processes: processes ?? config.processes });
    });
}

/** `exitOverride` of the program does not apply to commands that are created separately. */
function overrideExit(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(overrideExit);
  return command;
}
