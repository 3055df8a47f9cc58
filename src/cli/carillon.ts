import { Command, CommanderError } from 'commander';
import { loadEnvFile, processCount, readConfig } from '../config/config.js';
import { describeError } from '../config/describe-error.js';
import { version } from '../config/version.js';
import { visibleLines } from '../config/visible.js';
import { applyCommand } from './command/apply.command.js';
import { auditCommand } from './command/audit.command.js';
import { cellsCommand } from './command/cells.command.js';
import { consoleCommand } from './command/console.command.js';
import { doctorCommand } from './command/doctor.command.js';
import { exportCommand } from './command/export.command.js';
import { importCommand } from './command/import.command.js';
import { keyCommand } from './command/key.command.js';
import { migrateCommand } from './command/migrate.command.js';
import { moveCommand } from './command/move.command.js';
import { quotaCommand } from './command/quota.command.js';
import { resealCommand } from './command/reseal.command.js';
import { suppressionCommand } from './command/suppression.command.js';

/** Runs a command and returns the exit code. Prints an error as one line. */
export async function carillon(args: string[]): Promise<number> {
  const program = new Command('carillon')
    .description('Self-hosted, multi-tenant notification service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(see npx carillon --help)');
  const commands = [
    startCommand(),
    migrateCommand(),
    applyCommand(),
    exportCommand(),
    importCommand(),
    keyCommand(),
    consoleCommand(),
    suppressionCommand(),
    quotaCommand(),
    resealCommand(),
    auditCommand(),
    cellsCommand(),
    moveCommand(),
    doctorCommand(),
  ];
  for (const command of commands) program.addCommand(overrideExit(command));
  try {
    loadEnvFile();
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`carillon: ${visibleLines(describe(error))}\n`);
    return 1;
  }
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
      const { serve } = await import('../start/server.js');
      await serve({ ...config, processes: processes ?? config.processes });
      // Ends the process even if a provider has not answered a request yet.
      process.exit();
    });
}

/** `exitOverride` of the program does not apply to commands that are created separately. */
function overrideExit(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(overrideExit);
  return command;
}

function wayOut(error: unknown): string {
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE') return '';
  const setting = process.env.METRICS_PORT === String(port) ? 'METRICS_PORT' : 'PORT';
  return `. Stop the program that uses it, or choose another port, such as ${setting}=${Number(port) + 1}`;
}

function describe(error: unknown): string {
  const { stack } = error as Error;
  return process.env.LOG_LEVEL === 'debug' && stack ? stack : `${describeError(error)}${wayOut(error)}`;
}
