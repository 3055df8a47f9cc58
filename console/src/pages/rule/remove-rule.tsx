import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import type { EventPlace } from '../event/place';
import { authorsOf } from './authors-of';
import { partsOf } from './parts';
import type { RuleContent } from './parts';

const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';
const RULE = `${RULES}{notification}/` as const;

interface Props {
  place: EventPlace;
  id: string;
  saved: RuleContent;
  onRemoved: () => void;
}

export function RemoveRule({ place, id, saved, onRemoved }: Props) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const nameOf = useChannelNames(place.org, place.prj);
  const path = { ...place, notification: Number(id) };
  const remove = useEdit({
    seen: () => seenOf(saved),
    read: (): Promise<RuleContent> => carillon.get(RULE, { path }),
    write: (_: void, headers) => carillon.delete(RULE, { path, headers }),
    authors: () => authorsOf(place, Number(id), nameOf),
    partsOf: (rule) => partsOf(rule, nameOf),
    reads: [RULES],
    onReload: () => setAsked(false),
    onDone: () => {
      onRemoved();
      return navigate({ to: '/o/$org/events/$prj/$app/$evt', params: { ...place }, search: {}, ignoreBlocker: true });
    },
  });
  return (
    <div className="row">
      <button className="button small danger" onClick={() => setAsked(true)}>
        {text.rule.remove.open}
      </button>
      {isAsked && (
        <Confirm
          title={text.rule.remove.ask(saved.name)}
          action={text.rule.remove.action}
          onClose={() => setAsked(false)}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.rule.remove.text}
        </Confirm>
      )}
    </div>
  );
}
