import { fileURLToPath } from 'node:url';

/** The project's own folder, from `src/` and from `dist/` alike: home of the migrations and of `openapi.yaml`. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
