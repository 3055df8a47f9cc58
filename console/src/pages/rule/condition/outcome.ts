import { matches } from '@carillon/expression/when';

/** Whether a valid condition holds for a context, or why that cannot be said. */
export function outcomeOf(when: string, context: unknown): { holds: boolean; failed?: string } {
  try {
    return { holds: matches(when, context) };
  } catch (error) {
    return { holds: false, failed: (error as Error).message };
  }
}
