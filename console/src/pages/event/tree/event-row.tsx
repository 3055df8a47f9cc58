import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../../api/read';
import { Badge } from '../../../components/badge';
import { RowCounts } from '../../../components/row-counts';
import type { RowCountsOf } from '../../../components/row-counts';
import { useCategoryName } from '../../../api/names';
import { text } from '../../../text/text';
import { EVENT } from '../place';
import type { EventPlace } from '../place';

interface Props {
  place: EventPlace;
  name: string;
  countsOf: RowCountsOf;
}

/** The list of events has only names: the rest is asked once a row is looked at. */
export function EventRow({ place, name, countsOf }: Props) {
  const row = useRef<HTMLTableRowElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && setSeen(true));
    observer.observe(row.current!);
    return () => observer.disconnect();
  }, []);
  const { data } = useRead(EVENT, { path: { ...place } }, { enabled: isSeen });
  const category = useCategoryName(place.org, place.prj, data?.category ?? null);
  return (
    <tr ref={row}>
      <td data-label={text.event.event}>
        <span>
          <Link to="/o/$org/events/$prj/$app/$evt" params={{ ...place }}>
            {name}
          </Link>{' '}
          <span className="soft mono">{place.evt}</span>
        </span>
      </td>
      <td data-label={text.event.category}>
        {data ? <span className="soft">{category ?? text.event.noCategory}</span> : <span className="skeleton" />}
      </td>
      <td data-label={text.figures.column}>
        {countsOf ? (
          <RowCounts counts={countsOf(`${place.prj}/${place.app}/${place.evt}`)} />
        ) : (
          <span className="soft">–</span>
        )}
      </td>
      <td data-label={text.event.state} className="narrow">
        {data ? (
          <Badge tone={data.enabled ? 'good' : 'warn'}>{data.enabled ? text.event.on : text.event.off}</Badge>
        ) : (
          <span className="skeleton" />
        )}
      </td>
    </tr>
  );
}
