import { locale } from './language';

/** A number as the reader writes it: `1,000` or `1.000`. */
export const formatNumber = (number: number) => number.toLocaleString(locale);
