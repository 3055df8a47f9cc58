import type { Address } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { Badge } from '../../components/badge';
import { text } from '../../text/text';

/** Says that an address gets no messages, and leads to the reason. */
export function AddressSuppressions({ org, address: { name, value } }: { org: string; address: Address }) {
  const query = { address: value, limit: 20 };
  const { data } = useRead('/api/o/{org}/suppressions/', { path: { org }, query }, { poll: true });
  return data
    ?.filter((suppression) => suppression.name === name)
    .map(({ id, cause, project }) => (
      <Link key={id} to="/o/$org/suppressions" params={{ org }} search={{ address: value }}>
        <Badge tone="bad">{text.person.suppressed(text.suppression.causes[cause], project)}</Badge>
      </Link>
    ));
}
