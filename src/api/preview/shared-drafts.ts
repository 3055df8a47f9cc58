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
import type { PutFragmentDto } from '../layout/layout.dto.js';
import { checkFragment, fragmentSource } from '../layout/layout.write.js';
import { LOAD_SHARED } from '../notification/notification.sql.js';
import { BUILT_IN } from '../notification/renew-ruleset.js';
import type { PreviewDto } from './preview.dto.js';

type Partials = TemplateReport['partials'];

interface ReadDraft {
  source: FragmentSource;
  partials: string[];
  keys: UsedKey[];
}

/** A message that a draft of a layout or partial uses; `part` is the field of the body. */
interface UsedKey {
  part: string;
  key: string;
}

/** The body's checks look at its first level only. */
const isFragment = (given: unknown) =>
  isObject(given) && [given.html ?? '', given.text ?? '', given.mjml ?? ''].every((part) => typeof part === 'string');

/** The layout and partials of a draft: those that are stored, with drafts in their places. */
@Injectable()
export class SharedDrafts {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly inspector: TemplateInspector,
  ) {}

  /** `partials`: those of the template itself. `keys`: the messages that drafts use, which may not be among those of `shared`. */
  async load(
    scope: Scope,
    draft: PreviewDto,
    partials: Partials,
  ): Promise<{ shared?: SharedSources; keys: UsedKey[] }> {
    const { layout_draft: around, partial_drafts: drafts = {} } = draft;
    const layout = draft.layout || null;
    if (layout === null && !around && partials.length === 0) return { keys: [] };
    const outer = around && (await this.read(scope, 'layout', 'layout_draft', around));
    const read = outer ? [outer] : [];
    for (const [slug, source] of Object.entries(drafts))
      read.push(await this.read(scope, 'partial', `partial_drafts.${slug}`, source));
    await this.refuseUnknown(scope, around ? null : layout, partials, Object.keys(drafts));
    const names = [...new Set([...partials.map(({ name }) => name), ...read.flatMap((each) => each.partials)])];
    // No stored layout is named '': the draft takes its place, and the brand is loaded.
    const values = [scope.eventId, BUILT_IN, around ? '' : layout, names];
    const { rows } = await this.database.pool.query<{ shared: SharedSources | null }>(LOAD_SHARED, values);
    const stored = rows[0]?.shared ?? {};
    const shared = { ...stored, ...(outer && { layout: outer.source }), partials: { ...stored.partials, ...drafts } };
    return { shared, keys: read.flatMap(({ keys }) => keys) };
  }

  /** What of a draft is rendered, and the partials that it uses. */
  private async read(scope: Scope, kind: FragmentKind, field: string, draft: PutFragmentDto): Promise<ReadDraft> {
    if (!isFragment(draft))
      throw invalidField(field, 'invalid_type', 'must be an object with the texts html, text and mjml');
    const { html, text, mjml } = draft;
    const report = await this.inspector.inspect(scope.organizationId, { html, text, mjml });
    const errors = checkFragment(kind, draft, report);
    if (hasErrors(errors)) throw invalid(within(field, errors));
    const keys = report.keys.map(({ part, key }) => ({ part: `${field}.${part}`, key }));
    return { source: fragmentSource(draft, report), partials: report.partials.map(({ name }) => name), keys };
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
