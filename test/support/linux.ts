import { it } from '@jest/globals';

/**
 * A test that reads `/proc`, which only Linux has. Elsewhere Jest reports it as skipped. This is the one place that excludes tests from
 * a system.
 */
export const itOnLinux = process.platform === 'linux' ? it : it.skip;
