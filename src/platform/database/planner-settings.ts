/**
 * `random_page_cost`: PostgreSQL's default (4) assumes a spinning disk. With it, PostgreSQL reads all users instead of looking up those of a
 * list: 3.7 ms instead of 1.8 ms for 100 members among 10,000 users.
 *
 * `enable_seqscan`: a plan made while a table was empty reads the whole table, and lives on while the table grows. Each look-up of a key
 * then read all occurrences of the last minute. Every statement of ours has an index, so none needs to read a table whole. `jit`: where
 * PostgreSQL must do so anyway, it would take the high price for a reason to compile the statement.
 */
export const PLANNER_SETTINGS = 'set random_page_cost = 1.1; set enable_seqscan = off; set jit = off';
