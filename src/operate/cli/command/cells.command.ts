import { Command } from 'commander';
import { withPrintOptions } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';

export const cellsCommand = (): Command =>
  withPrintOptions(new Command('cells').description('list the cells and their organizations (docs/cells.md)')).action(
    async (options: PrintOptions) => {
      const { cells } = await import('../cell/cells.js');
      await cells(options);
    },
  );
