import { Command, Option } from 'commander';
import type { MoveCommandOptions } from '../move/move.js';

export function moveCommand(): Command {
  return new Command('move')
    .description(
      'move an organization to another cell; after an interruption, the same command goes on (docs/moving.md)',
    )
    .argument('<organization>', 'slug of an organization of this cell')
    .requiredOption('--to <cell>', 'number of the cell; TARGET_DATABASE_URL and TARGET_SECRET_KEY are its settings')
    .option('--undo', 'stay here: possible until the switch')
    .option('--finish', 'delete the rows that the organization has left here')
    .option('--compare-all', 'compare every row while the organization is frozen, however many it has')
    .option('--patience <seconds>', 'how long to wait, frozen, for running jobs before working on here', '60')
    .addOption(new Option('--pause-at <point>').hideHelp())
    .option('--json', 'print JSON')
    .action(async (slug: string, options: MoveCommandOptions) => (await import('../move/move.js')).move(slug, options));
}
