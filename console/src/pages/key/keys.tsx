import { getRouteApi } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { Forbidden } from '../../components/forbidden';
import { text } from '../../text/text';
import { ApiKeys } from './api-keys';
import { Sessions } from './sessions';
import './key.css';

const route = getRouteApi('/o/$org/keys');

export function Keys() {
  const { org } = route.useParams();
  const can = useCan();
  return (
    <div className="page keys-page">
      <div className="head">
        <h1>{text.pages.keys}</h1>
      </div>
      {can('apikey:read') ? (
        <>
          <ApiKeys org={org} />
          <Sessions org={org} />
        </>
      ) : (
        <Forbidden what={text.forbidden.keys} permission="apikey:read" />
      )}
    </div>
  );
}
