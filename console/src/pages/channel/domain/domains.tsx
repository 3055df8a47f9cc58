import type { ChannelDomains } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { Badge } from '../../../components/badge';
import { CopyCurl } from '../../../components/curl';
import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import { pathOf, readDomains } from '../calls';
import type { ChannelPlace } from '../place';

const TONES = { ok: 'good', missing: 'bad', wrong: 'bad', unknown: 'warn' } as const;

/** Compares the channel with the DNS records of the domains that it sends mail from. Only when asked: it looks up names. */
export function Domains({ place: { org, prj, slug } }: { place: ChannelPlace }) {
  const check = useMutation({ mutationFn: () => readDomains(org, prj, slug) });
  const words = text.channel.domains;
  return (
    <section className="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="soft">{words.hint}</p>
      <div className="row">
        <button className="button" disabled={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? words.pending : words.check}
        </button>
        <CopyCurl call={{ path: `${pathOf(org, prj, slug)}domains/` }} />
      </div>
      <div role="status">{check.data && <Findings findings={check.data.findings} />}</div>
      {check.error && <Problem error={check.error} />}
    </section>
  );
}

function Findings({ findings }: Pick<ChannelDomains, 'findings'>) {
  const { states, checks, publish, none } = text.channel.domains;
  if (findings.length === 0) return <p className="soft">{none}</p>;
  return (
    <ul className="findings">
      {findings.map(({ domain, check, state, record, detail, publish: value }) => (
        <li key={`${domain} ${check} ${record}`}>
          <div className="row">
            <Badge tone={TONES[state]}>{states[state]}</Badge>
            <strong>{checks[check]}</strong>
            <span className="mono">{record ?? domain}</span>
          </div>
          <p className="soft">{detail}</p>
          {value && (
            <label className="stack">
              <span className="label">{publish}</span>
              <input className="input mono" readOnly value={value} onFocus={({ target }) => target.select()} />
            </label>
          )}
        </li>
      ))}
    </ul>
  );
}
