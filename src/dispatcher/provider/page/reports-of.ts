import { isObject } from '../../../platform/field/is-object.js';
import type { ReportKind } from '../../report/report.js';
import type { ProviderFile } from '../provider.js';
import { setupOf } from '../report/open-reports.js';
import { code } from './markdown.js';

const USUAL = ['delayed', 'soft_bounced', 'delivered', 'seen', 'bounced', 'complained'] as const;

/** What the readers that are code report. */
export const KINDS_IN_CODE: Readonly<Record<string, readonly ReportKind[]>> = {
  ses: USUAL,
  sendgrid: USUAL,
  mailgun: USUAL,
  twilio: ['soft_bounced', 'delivered', 'seen', 'bounced', 'stopped', 'resumed', 'answered'],
};

/** The kinds of reports of a provider, as its file has them; empty: it reports nothing. */
export function reportKinds(written: unknown): readonly string[] {
  const reader = typeof written === 'string' ? written : isObject(written) ? written.reader : undefined;
  if (typeof reader === 'string') return KINDS_IN_CODE[reader] ?? [];
  const kinds = isObject(written) && isObject(written.kinds) ? Object.values(written.kinds).map(String) : [];
  return [...new Set(kinds)];
}

export function reportsOf(written: unknown, provider: ProviderFile): string {
  if (written === undefined || written === null) return 'none: `sent` means that the provider took the message.';
  const kinds = reportKinds(written).map(code).join(', ');
  return `${kinds}. ${setupOf(provider) ?? ''}`;
}
