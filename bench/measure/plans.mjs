import { readFileSync } from 'node:fs';

const PLAN = /duration: [\d.]+ ms {2}plan:\n((?:\t.*\n?)+)/g;

/** New connections to a database write into the log of PostgreSQL how it runs their statements. */
export async function logPlans(database) {
  const [{ name }] = await database.query('select current_database() "name"');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
  };
  for (const [setting, value] of Object.entries(settings))
    await database.query(`alter database ${name} set ${setting} = '${value}'`);
}

/** How PostgreSQL ran the statement of some work that read most: which indexes, and how many rows of each. */
export async function planOf(logFile, work) {
  const before = readFileSync(logFile).length;
  await work();
  const text = readFileSync(logFile).subarray(before).toString();
  const all = [...text.matchAll(PLAN)].map(([, json]) => readsOf(JSON.parse(json).Plan));
  const sum = (reads) => reads.reduce((total, [, rows]) => total + rows, 0);
  const most = all.reduce((a, b) => (sum(b) > sum(a) ? b : a), []);
  const shown = most.slice(0, 3).map(([read, rows]) => `${read}: ${rows.toLocaleString('en')}`);
  return shown.join(', ') || 'none';
}

/** Rows by the way to them, also those that a filter dropped; the most first. */
function readsOf(plan) {
  const reads = new Map();
  for (const { 'Node Type': type, ...node } of nodesOf(plan)) {
    const name = node['Index Name'] ?? node['Relation Name'];
    const rows = Math.round((node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    if (name && rows > 0) reads.set(`${type} ${name}`, (reads.get(`${type} ${name}`) ?? 0) + rows);
  }
  return [...reads].sort(([, a], [, b]) => b - a);
}

const nodesOf = (node) => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
