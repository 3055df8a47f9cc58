/** The outcomes that are reported to an application. `failed` is an attempt that will be retried. */
export const STATUS_OUTCOMES = ['sent', 'failed', 'dead'] as const;
export type StatusOutcome = (typeof STATUS_OUTCOMES)[number];

/** An application with a status webhook, and the outcomes that it receives. */
export interface StatusWebhook {
  application: number;
  outcomes: StatusOutcome[];
}

/** The place that the secret of a status webhook is bound to: it cannot be decrypted for another place. */
export const statusSecretContext = (organizationId: number, applicationId: number) =>
  ['status_webhook', organizationId, applicationId, 'secret'].join(':');
