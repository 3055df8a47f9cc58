import { Argument, Command } from 'commander';
import { withPrintOptions } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';
import { SHELLS } from './shells.js';
import type { Shell } from './shells.js';

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that makes a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', INSTALL);
  return withPrintOptions(command).action(async (shell: Shell, options: PrintOptions, { parent }: Command) =>
    (await import('./completion.js')).completion(shell, parent!, options),
  );
}

const INSTALL = `
Once, for all new shells:
  bash  carillon completion bash > ~/.local/share/bash-completion/completions/carillon
  zsh   carillon completion zsh > "\${fpath[1]}/_carillon"
  fish  carillon completion fish > ~/.config/fish/completions/carillon.fish`;
