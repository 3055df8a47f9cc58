/** What an application can hear of a delivery: `failed` is an attempt that is made again. */
export const STATUS_OUTCOMES = ['sent', 'failed', 'dead'] as const;
export type StatusOutcome = (typeof STATUS_OUTCOMES)[number];

/** Where the application hears what became of its deliveries, and of which outcomes. */
export interface StatusWebhook {
  application: number;
  outcomes: StatusOutcome[];
}

/** Where the secret of a status webhook stands; it opens nowhere else. */
export const placeOfStatusSecret = (organizationId: number, applicationId: number) =>
  ['status_webhook', organizationId, applicationId, 'secret'].join(':');
