import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';

const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';
interface Props {
  place: EventPlace;
  id: string;
  name: string;
  discard: () => void;
}

export function RemoveRule({ place, id, name, discard }: Props) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const path = { ...place, notification: Number(id) };
  const remove = useWrite(() => carillon.delete(`${RULES}{notification}/`, { path }), RULES);
  function onSuccess() {
    discard();
    void navigate({ to: '/o/$org/events/$prj/$app/$evt', params: { ...place }, search: {}, ignoreBlocker: true });
  }
  return (
    <div className="row">
      <button className="button small danger" onClick={() => setAsked(true)}>
        {text.rule.remove.open}
      </button>
      {isAsked && (
        <Confirm
          title={text.rule.remove.ask(name)}
          action={text.rule.remove.action}
          onClose={() => setAsked(false)}
          onConfirm={() => remove.mutate(undefined, { onSuccess })}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.rule.remove.text}
        </Confirm>
      )}
    </div>
  );
}
