import type { Directory } from '../../../cell/directory/directory.js';
import { withDirectory } from '../../../cell/directory/with-directory.js';
import { readMoveTarget } from '../../../platform/config/config.js';
import type { CellSettings, Config } from '../../../platform/config/config.js';
import { OrganizationMove } from '../../move/move.js';
import { MoveRefused } from '../../move/refuse.js';
import { Side } from '../../move/side.js';
import { SecretBox } from '../../../platform/secret/secret-box.js';
import { secretKeyOf } from '../../../platform/secret/secret-key.js';
import { withDatabase } from '../connection.js';
import { CommandError, print } from '../print/print.js';

export interface MoveCommandOptions {
  to: string;
  undo?: boolean;
  finish?: boolean;
  compareAll?: boolean;
  patience: string;
  pauseAt?: string;
  json?: boolean;
}

export async function move(slug: string, options: MoveCommandOptions): Promise<void> {
  if (options.undo && options.finish) throw new CommandError('--undo and --finish exclude each other');
  const to = wholeNumber(options.to, '--to');
  const patienceMs = 1000 * wholeNumber(options.patience, '--patience');
  const goal = readMoveTarget();
  const run = async (url: string, config: Config, cell: CellSettings, directory: Directory) => {
    const sides: Side[] = [];
    const connect = async (name: Side['name'], connectionString: string) => {
      sides.push(await Side.connect(name, connectionString));
      return sides.at(-1)!;
    };
    try {
      const parts = {
        source: await connect('source', url),
        keeper: await connect('source', url),
        target: await connect('target', goal.databaseUrl),
        directory,
        boxes: {
          source: new SecretBox(secretKeyOf(config), config.previousSecretKey),
          target: new SecretBox(goal.secretKey),
        },
        request: { slug, source: cell.number, target: to },
        patienceMs,
        compareAll: options.compareAll ?? false,
        say: (text: string) => void process.stderr.write(`${text}\n`),
        reached: (point: string) => pause(point, options.pauseAt),
      };
      if (!secretKeyOf(config).equals(goal.secretKey))
        parts.say('SECRET_KEY and TARGET_SECRET_KEY differ: see docs/moving.md about unsubscribe links');
      const action = options.undo ? 'undo' : options.finish ? 'finish' : 'move';
      return await new OrganizationMove(parts).run(action);
    } catch (error) {
      if (error instanceof MoveRefused) throw new CommandError(error.message, { cause: error });
      throw error;
    } finally {
      for (const side of sides) await side.end().catch(() => undefined);
    }
  };
  const { phase, target } = await withDatabase((url, config) => {
    const { cell } = config;
    if (!cell)
      throw new CommandError('this is not a cell: set CELL, CELL_URL, CELL_SECRET and DIRECTORY_URL (docs/cells.md)');
    return withDirectory(cell.directoryUrl, (directory) => run(url, config, cell, directory));
  });
  const texts: Record<string, string> = {
    done: `${slug} has moved to cell ${target}. Its rows are still here; delete them later with --finish`,
    deleting: `${slug} has moved to cell ${target}. Go on deleting its rows here with --finish`,
    finished: `${slug} is in cell ${target}, and its rows here are deleted`,
    undone: `the move of ${slug} is undone`,
  };
  await print({ json: options.json }, { organization: slug, phase, to: target }, texts[phase]!);
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new CommandError(`${name} must be a whole number`);
  return Number(text);
}

/** For tests: stops in the middle of a phase, and waits for the kill. */
async function pause(point: string, pauseAt: string | undefined): Promise<void> {
  if (point !== pauseAt) return;
  process.stderr.write(`paused at ${point}\n`);
  await new Promise(() => setInterval(() => undefined, 60_000));
}
