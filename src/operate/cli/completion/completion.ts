import type { Command } from 'commander';
import { print } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';
import { bashScript } from './bash.js';
import { completionsOf } from './command-tree.js';
import { fishScript } from './fish.js';
import type { Shell } from './shells.js';
import { zshScript } from './zsh.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export async function completion(shell: Shell, program: Command, options: PrintOptions): Promise<void> {
  const script = SCRIPTS[shell](completionsOf(program));
  await print(options, { shell, script }, script);
}
