import { Command, CommanderError } from 'commander';
import { loadEnvFile, processCount, readConfig } from '../config/config.js';
import { describeError } from '../config/describe-error.js';
import { version } from '../config/version.js';
import { applyCommand } from './command/apply.command.js';
import { doctorCommand } from './command/doctor.command.js';
import { exportCommand } from './command/export.command.js';
import { importCommand } from './command/import.command.js';
import { keyCommand } from './command/key.command.js';
import { migrateCommand } from './command/migrate.command.js';

/** The command line. Answers the exit code; whatever goes wrong is one clear line. */
export async function carillon(args: string[]): Promise<number> {
  const program = new Command('carillon')
    .description('Self-hosted, multi-tenant notification service.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(carillon --help tells more)');
  const commands = [
    startCommand(),
    migrateCommand(),
    applyCommand(),
    exportCommand(),
    importCommand(),
    keyCommand(),
    doctorCommand(),
  ];
  for (const command of commands) program.addCommand(inherit(command));
  try {
    loadEnvFile();
    await program.parseAsync(args.length > 0 ? args : ['start'], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`carillon: ${describe(error)}\n`);
    return 1;
  }
}

function startCommand(): Command {
  return new Command('start')
    .description('run the service (settings: .env.example)')
    .option('--processes <number>', 'run it in so many processes on one port; auto: one for each core', (value) =>
      processCount(value, '--processes'),
    )
    .action(async ({ processes }: { processes?: number }) => {
      const config = readConfig();
      // Loaded late: help and a bad setting answer at once.
      const { serve } = await import('../start/server.js');
      await serve({ ...config, processes: processes ?? config.processes });
      // A request to a provider that does not answer would keep the process for as long.
      process.exit();
    });
}

/** `exitOverride` does not reach commands that are built apart. */
function inherit(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(inherit);
  return command;
}

function describe(error: unknown): string {
  const { stack } = error as Error;
  return process.env.LOG_LEVEL === 'debug' && stack ? stack : describeError(error);
}
