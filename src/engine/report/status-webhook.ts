/** The outcomes of attempts that are reported to an application. `failed` is an attempt that will be retried. */
export const ATTEMPT_OUTCOMES = ['sent', 'failed', 'dead'] as const;
/** Not of a delivery: a user acknowledged an occurrence. */
export const ACKNOWLEDGED = 'acknowledged';
/** The outcomes of attempts, what the provider reports later, and what users answer. */
export const STATUS_OUTCOMES = [
  ...ATTEMPT_OUTCOMES,
  ...(['soft_bounced', 'delivered', 'seen', 'bounced', 'complained', ACKNOWLEDGED] as const),
] as const;
export type StatusOutcome = (typeof STATUS_OUTCOMES)[number];

/** An application with a status webhook, and the outcomes that it receives. */
export interface StatusWebhook {
  application: number;
  outcomes: StatusOutcome[];
}

/** The place that the secret of a status webhook is bound to: it cannot be decrypted for another place. */
export const statusSecretContext = (organizationId: number, applicationId: number) =>
  ['status_webhook', organizationId, applicationId, 'secret'].join(':');
