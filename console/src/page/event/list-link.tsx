import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';

/** The name of a distribution list, as a link to it. */
export function ListLink({ org, prj, name }: { org: string; prj: string; name: string }) {
  const isAllowed = useCan()('distributionlist:read');
  const input = { path: { org, prj }, query: { limit: 1000 } };
  const lists = useRead('/api/o/{org}/p/{prj}/d/', input, { enabled: isAllowed }).data;
  const found = lists?.find((list) => list.name === name);
  if (!found) return <span>{name}</span>;
  return (
    <Link to="/o/$org/lists/$prj/$list" params={{ org, prj, list: String(found.id) }}>
      {name}
    </Link>
  );
}
