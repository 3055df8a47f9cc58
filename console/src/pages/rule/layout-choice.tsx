import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { text } from '../../text/text';
import { linkTo } from '../layout/place';

interface Props {
  org: string;
  prj: string;
  /** Its slug; null: none. */
  layout: string | null;
  onChange: (layout: string | null) => void;
}

const PAGE = { limit: 1000 };

/** Every project has this one. */
export const BUILT_IN_LAYOUT = 'default';

/** What stands around the message: a layout of the project or of the organization. */
export function LayoutChoice({ org, prj, layout, onChange }: Props) {
  const shared = useRead('/api/o/{org}/layouts/', { path: { org }, query: PAGE }).data ?? [];
  const own = useRead('/api/o/{org}/p/{prj}/layouts/', { path: { org, prj }, query: PAGE }).data ?? [];
  const stored = [...own, ...shared].map(({ slug }) => slug);
  const slugs = [...new Set([BUILT_IN_LAYOUT, ...stored, ...(layout === null ? [] : [layout])])];
  const isOwn = own.some(({ slug }) => slug === layout);
  return (
    <div className="stack">
      <label className="field">
        <span className="label">{text.rule.layout}</span>
        <select className="input" value={layout ?? ''} onChange={(change) => onChange(change.target.value || null)}>
          <option value="">{text.rule.noLayout}</option>
          {slugs.map((slug) => (
            <option key={slug} value={slug}>
              {slug === BUILT_IN_LAYOUT && !stored.includes(slug) ? text.rule.builtInLayout : slug}
            </option>
          ))}
        </select>
        <span className="hint">{text.rule.layoutHint}</span>
      </label>
      {layout !== null && (
        <p className="keys">
          <Link {...linkTo({ org, prj: isOwn ? prj : null, kind: 'layout', slug: layout })} search={{}}>
            {text.layout.edit}
          </Link>
        </p>
      )}
    </div>
  );
}
