// A spreadsheet runs a cell that starts with one of these as a formula, and a formula can send the table away.
const FORMULA = /^'*[=+\-@\t\r]/;

/** The text of a cell for a CSV file. A spreadsheet shows a cell that starts with an apostrophe as text. */
export const withoutFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text);

/** The opposite, for a cell of a CSV file. */
export const originalText = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
