import type { Columns } from './columns.js';

const text = (cell: string) => cell;

const yesOrNo = (name: string) => (cell: string) => {
  if (!/^(true|false)$/i.test(cell)) throw new Error(`${name} must be true or false`);
  return cell.toLowerCase() === 'true';
};

const json = (name: string) => (cell: string) => {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw new Error(`${name} must be JSON`);
  }
};

export const USER_COLUMNS: Columns = {
  fields: {
    email: text,
    first_name: text,
    last_name: text,
    locked: yesOrNo('locked'),
    custom_fields: json('custom_fields'),
    addresses: json('addresses'),
    time_zone: text,
    quiet_hours: json('quiet_hours'),
    locale: text,
  },
  nested: {
    custom_fields: (row, key, cell) => {
      row.custom_fields = { ...(row.custom_fields as object | undefined), [key]: cell };
    },
    address: (row, name, value) => {
      row.addresses = [...((row.addresses as object[] | undefined) ?? []), { name, value }];
    },
  },
};

export const MEMBER_COLUMNS: Columns = {
  fields: { email: text, channel: text, active: yesOrNo('active') },
  nested: {},
};
