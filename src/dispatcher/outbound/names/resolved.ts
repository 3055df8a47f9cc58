/** One address of a name. */
export interface Resolved {
  address: string;
  family: 4 | 6;
}
