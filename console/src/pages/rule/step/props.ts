import type { RuleStep } from '../parts';

export interface StepProps {
  step: RuleStep;
  /** From 0. */
  place: number;
  error: Error | null;
  put: (step: RuleStep) => void;
}
