import type { Request, Response } from 'express';
import { expect, it } from '@jest/globals';
import { Problem } from '../../platform/http/problem.js';
import { ProviderReportController } from './provider-report.controller.js';
import type { ProviderReportService } from './provider-report.service.js';

/** Of `count` requests at once, those that are refused because there are too many. The others fail later: they have no body. */
async function refused(count: number, perSecond: number | undefined): Promise<number> {
  const find = () => Promise.resolve({ owner: { organizationId: 1 }, reader: { perSecond } });
  const controller = new ProviderReportController({ find } as unknown as ProviderReportService);
  const request = { headers: {}, originalUrl: '/reports/acme/sms' } as Request;
  const post = () => controller.ofOrganization({ org: 'acme', channel: 'sms' }, request, {} as Response);
  const answers = await Promise.allSettled(Array.from({ length: count }, post));
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  return reasons.filter((reason) => reason instanceof Problem && reason.status === 429).length;
}

it('an organization may send 50 requests of its own providers in a second, and more of others', async () => {
  expect(await refused(50, 50)).toBe(0);
  expect(await refused(500, 50)).toBeGreaterThan(200);
  expect(await refused(500, undefined)).toBe(0);
});
