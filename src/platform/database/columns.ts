// A field of the HTTP API and of files is a column of the same name: `max_recipients` is `maxRecipients` in Prisma.

type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

type Snake<Text extends string> = Text extends `${infer Letter}${infer Tail}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Tail>}`
  : Text;

/** Columns with another name in files and in the HTTP API: these names are reserved in SQL. */
const RENAMED: Record<string, string> = { sendFrom: 'from', sendTo: 'to', sendWindow: 'window', messageLimit: 'limit' };

export const fieldName = (column: string) =>
  RENAMED[column] ?? column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const columnName = (field: string) => field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The fields of a body or an entry of a file as columns. A name is trimmed. */
export function toColumns<Fields extends { name?: string }>(fields: Fields) {
  const columns = Object.entries(fields).map(([field, value]) => [columnName(field), value as unknown]);
  const trimmed = fields.name !== undefined && { name: fields.name.trim() };
  return { ...Object.fromEntries(columns), ...trimmed } as {
    [Field in keyof Fields & string as Camel<Field>]: Fields[Field];
  };
}

/** The columns of a row as fields, in the same order. */
export const toFields = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [fieldName(column), value as unknown])) as {
    [Column in keyof Row & string as Snake<Column>]: Row[Column];
  };
