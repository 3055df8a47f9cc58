import type { OrganizationQuotas, Quota, UpdateOrganizationQuotas } from '@carillon/client';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { Time } from '../../components/time';
import { Field } from '../../form/field';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';
import { Section } from './section';
import type { SectionForm } from './section';

const QUOTAS = '/api/o/{org}/quotas/';
const words = text.settings.quotas;

export type QuotaName = keyof UpdateOrganizationQuotas;
const NAMES = Object.keys(words.names) as QuotaName[];

/** The quotas as inputs have them; empty: the default of the service. */
type Draft = Record<QuotaName, string>;

const draftOf = (quotas: OrganizationQuotas) =>
  Object.fromEntries(NAMES.map((name) => [name, quotas[name].is_default ? '' : String(quotas[name].limit)])) as Draft;

const bodyOf = (draft: Draft): UpdateOrganizationQuotas =>
  Object.fromEntries(NAMES.map((name) => [name, draft[name].trim() === '' ? null : Number(draft[name])]));

/** What the organization may use, and what it uses. Operators of the service change it. */
export function Quotas({ org }: { org: string }) {
  const mayWrite = useCan()('organization:write', 'service');
  const authors = useAuthors(org, 'organization', org);
  const path = { org };
  const { data, error, refetch } = useRead(QUOTAS, { path });
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Rows />;
  return (
    <Section
      title={words.title}
      hint={mayWrite ? words.hint : words.fixed}
      stored={data}
      {...{ draftOf, mayWrite, authors }}
      read={() => carillon.get(QUOTAS, { path })}
      write={(draft, headers) => carillon.patch(QUOTAS, { path, headers, body: bodyOf(draft) })}
      reads={[QUOTAS]}
    >
      {(form) => (
        <>
          <div className="settings-quotas">
            {NAMES.map((name) => (
              <OneQuota key={name} {...{ name, form, mayWrite }} quota={data[name]} />
            ))}
          </div>
          <p className="soft">
            {data.measured_at ? (
              <>
                {words.measured} <Time at={data.measured_at} />
              </>
            ) : (
              words.notMeasured
            )}
          </p>
        </>
      )}
    </Section>
  );
}

interface OneProps {
  name: QuotaName;
  quota: Quota;
  form: SectionForm<Draft>;
  mayWrite: boolean;
}

function OneQuota({ name, quota, form: { draft, change, disabled, error }, mayWrite }: OneProps) {
  const { limit, used, is_default } = quota;
  return (
    <div className="settings-quota">
      <div>
        <strong>{words.names[name]}</strong>
        <p className="soft">{words.hints[name]}</p>
      </div>
      <div className="stack" data-field={name}>
        <span>
          {used === null ? words.upTo(formatNumber(limit)) : words.used(formatNumber(used), formatNumber(limit))}{' '}
          {is_default && <span className="soft">{words.isDefault}</span>}
        </span>
        {used !== null && (
          <meter
            aria-label={words.names[name]}
            min={0}
            max={limit}
            high={limit * 0.8}
            optimum={0}
            value={Math.min(used, limit)}
          />
        )}
        {mayWrite && (
          <Field label={words.most} error={error} name={name}>
            <input
              className="input"
              type="number"
              min={1}
              aria-label={words.mostOf(words.names[name])}
              placeholder={words.placeholder}
              value={draft[name]}
              disabled={disabled}
              onChange={(event) => change({ [name]: event.target.value })}
            />
          </Field>
        )}
      </div>
    </div>
  );
}
