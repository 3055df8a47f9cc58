import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { text } from '../../text/text';

const words = text.settings;

/** The settings that have a page of their own. */
export function BrandLink({ org }: { org: string }) {
  return (
    <section className="card stack" aria-label={text.pages.brand}>
      <div>
        <h2>{text.pages.brand}</h2>
        <p className="soft">{words.brandHint}</p>
      </div>
      <div className="row">
        <Link className="button" to="/o/$org/brand" params={{ org }}>
          {words.brandLink}
        </Link>
      </div>
    </section>
  );
}

/** The records of a sender's domain belong to a channel: its page checks them. */
export function SenderDomains({ org }: { org: string }) {
  const input = { path: { org }, query: { limit: 1000 } };
  const mail = useRead('/api/o/{org}/channel-health/', input).data?.filter(({ type }) => type === 'email');
  return (
    <section className="card stack" aria-label={words.domains.title}>
      <div>
        <h2>{words.domains.title}</h2>
        <p className="soft">{words.domains.hint}</p>
      </div>
      {mail?.length === 0 && (
        <p>
          {words.domains.none}{' '}
          <Link to="/o/$org/channels" params={{ org }} search={{}}>
            {text.pages.channels}
          </Link>
        </p>
      )}
      <ul className="settings-list">
        {mail?.map(({ project, channel }) => (
          <li key={`${project}/${channel}`}>
            <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: project ?? '-', channel }}>
              {words.domains.check(project === null ? channel : `${project}/${channel}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
