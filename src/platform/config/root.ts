import { fileURLToPath } from 'node:url';

/** The project folder, which holds the migrations and `openapi.yaml`. It is the same from `src/` and from `dist/`. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));
