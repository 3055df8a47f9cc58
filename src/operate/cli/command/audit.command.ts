import { Command } from 'commander';
import type { VerifyOptions } from '../audit.js';
import { withPrintOptions } from '../print/print.js';

export function auditCommand(): Command {
  return new Command('audit').description('check the audit log').addCommand(verifyCommand());
}

function verifyCommand(): Command {
  const command = new Command('verify')
    .description('check that no entry of the audit log was changed or deleted; exits with 1 if one was')
    .option('--org <slug>', 'only this organization')
    .option('--heads <file>', 'what --json printed earlier: also notices a chain that was rewritten since');
  return withPrintOptions(command).action(async (options: VerifyOptions) =>
    (await import('../audit.js')).verify(options),
  );
}
