import { withoutFormula } from '@carillon/user-file/formula';

/** Quoted, and never a formula: a spreadsheet would run a text that somebody else chose. */
export const quoted = (value: string) => `"${withoutFormula(value).replaceAll('"', '""')}"`;

/** Saves a text as a file of the reader. */
export function saveCsv(name: string, csv: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
