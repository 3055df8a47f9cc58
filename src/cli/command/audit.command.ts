import { Command } from 'commander';
import type { VerifyOptions } from '../audit.js';

export function auditCommand(): Command {
  return new Command('audit').description('check the audit log').addCommand(verifyCommand());
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('check that no entry of the audit log was changed or deleted; exits with 1 if one was')
    .option('--org <slug>', 'only this organization')
    .option('--heads <file>', 'what --json printed earlier: also notices a chain that was rewritten since')
    .option('--json', 'print JSON')
    .action(async (options: VerifyOptions) => (await import('../audit.js')).verify(options));
}
