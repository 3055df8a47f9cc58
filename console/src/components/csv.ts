/** For spreadsheets, which otherwise read a file as what their system has used before UTF-8. */
export const MARK = '\ufeff';

/** Saves a text as a file of the reader. */
export function saveCsv(name: string, ...parts: string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
