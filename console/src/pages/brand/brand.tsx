import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { CopyCurl } from '../../components/curl';
import { Forbidden } from '../../components/forbidden';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { BrandForm } from './brand-form';
import './brand.css';

const route = getRouteApi('/o/$org/brand');

/** The logo, the color and the texts of the organization. */
export function Brand() {
  const { org } = route.useParams();
  const mayRead = useCan()('organization:read');
  const settings = useRead('/api/o/{org}/settings/', { path: { org } }, { enabled: mayRead });
  const name = useRead('/api/o/{org}/', { path: { org } }, { enabled: mayRead }).data?.name;
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.brand}</h1>
        <CopyCurl call={{ path: `/api/o/${org}/settings/` }} />
      </div>
      <p className="soft">{text.brand.intro}</p>
      {!mayRead && <Forbidden what={text.pages.brand} permission="organization:read" />}
      {settings.error && <Problem error={settings.error} again={() => void settings.refetch()} />}
      {mayRead && !settings.data && !settings.error && <Rows />}
      {settings.data && name !== undefined && <BrandForm org={org} name={name} settings={settings.data} />}
    </div>
  );
}
