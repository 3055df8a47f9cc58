import { BUILT_IN_LAYOUT, noFragment } from '../../../api/layout/fragments.js';
import { fragmentSource } from '../../../api/layout/layout.write.js';
import { logoOf } from '../../../api/logo/read-logo.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { DEFAULT_LAYOUT } from '../../../rules/template/layout/default-layout.js';
import type { Brand, FragmentSource, SharedSources } from '../../../rules/template/layout/shared.js';
import { convertMjml } from '../../../rules/template/mjml/convert-parts.js';
import type { TemplateReport } from '../../../rules/template/template-fields.js';
import type { FragmentEntry, OrganizationEntry } from '../../provisioning/file.js';
import type { FileTemplate } from './choose-templates.js';

/** The layout and the partials that a template of a file uses, and the brand for them. Undefined: it uses none. */
export function sharedInFile(
  { organization, project, template: { layout } }: FileTemplate,
  used: TemplateReport['partials'],
): { shared?: SharedSources; errors: FieldErrors } {
  if (!layout && used.length === 0) return { errors: {} };
  const layouts = new Map<string, FragmentSource>([[BUILT_IN_LAYOUT, DEFAULT_LAYOUT]]);
  const partials = new Map<string, FragmentSource>();
  const add = (to: Map<string, FragmentSource>, entries: FragmentEntry[] = []) => {
    for (const { slug, ...fragment } of entries) to.set(slug, fragmentSource(fragment, convertMjml(fragment)));
  };
  // Those of the project last: they hide the others.
  for (const owner of [organization, project]) {
    add(layouts, owner.layouts);
    add(partials, owner.partials);
  }
  const errors: FieldErrors = {};
  const around = layout ? layouts.get(layout) : undefined;
  if (layout && !around) errors.layout = [noFragment('layout', layout, layouts.keys())];
  for (const { part, name } of used)
    if (!partials.has(name)) (errors[part] ??= []).push(noFragment('partial', name, partials.keys()));
  const brand = brandOf(organization);
  return { shared: { ...(around && { layout: around }), partials: Object.fromEntries(partials), brand }, errors };
}

/** No service serves the logo of a file: it is a part of the page. */
function brandOf({ color, address, links, logo: given }: OrganizationEntry): Brand {
  const logo = given ? logoOf(given, () => undefined) : null;
  return {
    ...(color && { color }),
    ...(address && { address }),
    ...(links && { links }),
    ...(logo && {
      logo: `data:${logo.content_type};base64,${given!.content}`,
      logo_width: logo.width,
      logo_height: logo.height,
    }),
  };
}
