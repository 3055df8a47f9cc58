import { cpSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BETWEEN = /(<!-- torture -->\n)[\s\S]*?(\n<!-- \/torture -->)/;

/** Puts the tables of a run into a document, between its two marks. */
export function writeTables(file, text) {
  const document = readFileSync(file, 'utf8');
  if (!BETWEEN.test(document)) throw new Error(`${file} has no <!-- torture --> and <!-- /torture -->`);
  writeFileSync(
    file,
    document.replace(BETWEEN, (_, before, after) => `${before}\n${text}\n${after}`),
  );
}

/** Keeps the logs of a run that failed. */
export function keepEvidence({ folder, dataDir }) {
  const kept = mkdtempSync(join(tmpdir(), 'carillon-torture-'));
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  for (const log of logs) cpSync(join(folder, log), join(kept, log));
  cpSync(join(dataDir, 'postgres', 'postgres.log'), join(kept, 'postgres.log'));
  console.error(`torture: the logs are in ${kept}`);
}
