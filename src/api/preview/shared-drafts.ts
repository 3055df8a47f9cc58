import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { hasErrors, within } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';
import { invalid, invalidField } from '../../platform/http/problem.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import type { FragmentSource, SharedSources } from '../../rules/template/layout/shared.js';
import type { TemplateReport } from '../../rules/template/template-fields.js';
import { fragmentNames, noFragment } from '../layout/fragments.js';
import type { FragmentKind } from '../layout/fragments.js';
import { checkFragment } from '../layout/layout.write.js';
import { LOAD_SHARED } from '../notification/notification.sql.js';
import { BUILT_IN } from '../notification/renew-ruleset.js';
import type { PreviewDto } from './preview.dto.js';

type Partials = TemplateReport['partials'];

/** The body's checks look at its first level only. */
const isFragment = (given: unknown) =>
  isObject(given) && [given.html ?? '', given.text ?? ''].every((part) => typeof part === 'string');

/** The layout and partials of a draft: those that are stored, with drafts in their places. */
@Injectable()
export class SharedDrafts {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly inspector: TemplateInspector,
  ) {}

  /** `partials`: those of the template itself. Undefined if it uses nothing. */
  async load(scope: Scope, draft: PreviewDto, partials: Partials): Promise<SharedSources | undefined> {
    const { layout_draft: around, partial_drafts: drafts = {} } = draft;
    const layout = draft.layout || null;
    if (layout === null && !around && partials.length === 0) return undefined;
    const inDrafts: string[] = around ? await this.check(scope, 'layout', 'layout_draft', around) : [];
    for (const [slug, source] of Object.entries(drafts))
      inDrafts.push(...(await this.check(scope, 'partial', `partial_drafts.${slug}`, source)));
    await this.refuseUnknown(scope, around ? null : layout, partials, Object.keys(drafts));
    const names = [...new Set([...partials.map(({ name }) => name), ...inDrafts])];
    // No stored layout is named '': the draft takes its place, and the brand is loaded.
    const values = [scope.eventId, BUILT_IN, around ? '' : layout, names];
    const { rows } = await this.database.pool.query<{ shared: SharedSources | null }>(LOAD_SHARED, values);
    const stored = rows[0]?.shared ?? {};
    return { ...stored, ...(around && { layout: around }), partials: { ...stored.partials, ...drafts } };
  }

  /** The partials that a draft uses. */
  private async check(scope: Scope, kind: FragmentKind, field: string, source: FragmentSource): Promise<string[]> {
    if (!isFragment(source))
      throw invalidField(field, 'invalid_type', 'must be an object with the texts html and text');
    const report = await this.inspector.inspect(scope.organizationId, { html: source.html, text: source.text });
    const errors = checkFragment(kind, source, report);
    if (hasErrors(errors)) throw invalid(within(field, errors));
    return report.partials.map(({ name }) => name);
  }

  private async refuseUnknown(scope: Scope, layout: string | null, partials: Partials, drafts: string[]) {
    const { organizationId, projectId } = scope;
    const known = await fragmentNames(this.prisma, { organizationId, projectId });
    const errors: FieldErrors = {};
    if (layout !== null && !known.layouts.has(layout)) errors.layout = [noFragment('layout', layout, known.layouts)];
    for (const { part, name } of partials)
      if (!known.partials.has(name) && !drafts.includes(name))
        (errors[part] ??= []).push(noFragment('partial', name, known.partials));
    if (hasErrors(errors)) throw invalid(errors);
  }
}
