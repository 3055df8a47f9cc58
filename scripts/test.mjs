// Runs Jest against a real PostgreSQL (test-postgres.mjs). Arguments go to Jest: `npm test -- test/api/user.spec.ts`.
import { spawnJest, withPostgres } from './test-postgres.mjs';

process.on('SIGINT', () => undefined); // Jest gets it too and ends; then we stop PostgreSQL

process.exitCode = 1;
process.exitCode = await withPostgres((url) => {
  const child = spawnJest(url, process.argv.slice(2), { stdio: 'inherit' });
  return new Promise((done) => child.on('exit', (code) => done(code ?? 1)));
});
