import { setImmediate as otherWork } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import type { RenderContext, TranslatedParts } from '../template/template.js';
import { inspectTemplate } from '../template/template-fields.js';
import type { TemplateReport } from '../template/template-fields.js';
import { TrialRenderer, isParsedHere } from './trial-renderer.js';

/** Those who wait are few: their requests have shares too. */
const LIMITS = {
  perOrganization: 1,
  inAll: Infinity,
  maxWaiting: Infinity,
  waitMs: 20_000,
  refusal: tooMany('checks of templates'),
};

/**
 * Inspects templates of requests. An organization has one under way at a time. Parsing cannot be interrupted, so the render process parses the
 * large ones, and other requests get a turn before each small one.
 */
@Injectable()
export class TemplateInspector {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(private readonly renderer: TrialRenderer) {}

  inspect(organizationId: number, parts: TranslatedParts, contexts: RenderContext[] = []): Promise<TemplateReport> {
    return this.limiter.run(organizationId, async () => {
      if (!isParsedHere(parts)) return this.renderer.inspect(parts, contexts);
      await otherWork();
      return inspectTemplate(parts, contexts);
    });
  }

  async inspectAll<Parts extends TranslatedParts>(
    organizationId: number,
    templates: Parts[],
  ): Promise<Map<Parts, TemplateReport>> {
    const reports = new Map<Parts, TemplateReport>();
    for (const template of templates) reports.set(template, await this.inspect(organizationId, template));
    return reports;
  }
}
