import { dirname } from 'node:path';
import type { Change } from '../../provisioning/apply/change.js';

/** A file as a command reads it. */
export interface FileSource {
  text: string;
  /** In problems; null: the file is on standard input. */
  name: string | null;
  /** Null: environment variables are not read. */
  env: Record<string, string | undefined> | null;
}

/** The folder that references to files are relative to. */
export const folderOf = ({ name }: FileSource) => (name === null ? '.' : dirname(name));

export interface ApplyRun {
  dryRun: boolean;
  prune: boolean;
  /** Whether every deleted user is named. */
  namesAll: boolean;
  /** The plan that was approved: other deletions are refused. */
  agreed?: Applied;
}

export interface Applied {
  changes: Change[];
  warnings: string[];
  /** Names the deletions, for a service. */
  version?: string;
}

/** Where a file is applied: a database, or a service. */
export type ApplyTarget = (run: ApplyRun) => Promise<Applied>;
