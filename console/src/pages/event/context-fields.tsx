import type { UsedBy } from '@carillon/client';
import { useRead } from '../../api/read';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { Empty } from '../../components/empty';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import { fieldsOf } from './context-schema';
import { pathOf } from './place';
import type { EventPlace } from './place';

/** What the context of a trigger must hold, worked out from the conditions and templates. */
export function ContextFields({ place }: { place: EventPlace }) {
  const nameOf = useChannelNames(place.org, place.prj);
  const usedBy = ({ notification, channel, part }: UsedBy) =>
    text.event.context.use(notification, channel && nameOf(channel), part);
  const path = { ...place };
  const { data: schema, error, refetch } = useRead('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/', { path });
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!schema) return <Rows />;
  const fields = fieldsOf(schema);
  const unchecked = schema['x-not-checked'] ?? [];
  return (
    <div className="stack">
      <div className="row">
        <p className="soft">{text.event.context.hint}</p>
        <span className="space" />
        <CopyCurl call={{ path: `${pathOf(place)}schema/` }} />
      </div>
      {unchecked.length > 0 && (
        <p className="note warn">{text.event.context.unchecked(unchecked.map(usedBy).join(', '))}</p>
      )}
      {fields.length === 0 ? (
        <Empty title={text.event.context.none}>{text.event.context.noneHint}</Empty>
      ) : (
        <table className="table" aria-label={text.event.tabs.context}>
          <thead>
            <tr>
              <th scope="col">{text.event.context.field}</th>
              <th scope="col">{text.event.context.need}</th>
              <th scope="col">{text.event.context.usedBy}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <td data-label={text.event.context.field}>
                  <code>{field.name}</code>
                </td>
                <td data-label={text.event.context.need} className="narrow">
                  <Badge tone={field.isRequired ? 'accent' : 'idle'}>
                    {field.isRequired ? text.event.context.required : text.event.context.optional}
                  </Badge>
                </td>
                <td data-label={text.event.context.usedBy}>
                  <span className="schema-uses soft">
                    {field.uses.map((use) => (
                      <span key={usedBy(use)}>{usedBy(use)}</span>
                    ))}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
