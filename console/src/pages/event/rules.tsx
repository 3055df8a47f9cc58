import type { Draft, Notification } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { Empty } from '../../components/empty';
import { ChannelLink, ListLink } from '../../components/links';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import { useDrafts } from '../rule/draft/use-drafts';
import { isNewRule, partsOf, toText } from '../rule/parts';
import { sayAcknowledge, sayStep } from '../rule/step/say';
import type { EventPlace } from './place';

const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';

/** Who is told what, when and over which channels. */
export function Rules({ place }: { place: EventPlace }) {
  const can = useCan();
  const { data: rules, error, refetch } = useRead(RULES, { path: { ...place }, query: { limit: 1000 } });
  const drafts = useDrafts(place).data ?? [];
  const begun = drafts.filter(({ draft }) => isNewRule(draft));
  const create = can('notification:write') && (
    <Link
      className="button primary"
      to="/o/$org/events/$prj/$app/$evt"
      params={{ ...place }}
      search={{ rule: nextNew(begun) }}
    >
      {text.event.newRule}
    </Link>
  );
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!rules) return <Rows />;
  if (rules.length === 0 && begun.length === 0)
    return (
      <Empty title={text.event.noRules} action={create}>
        {text.event.noRulesHint}
      </Empty>
    );
  return (
    <div className="stack">
      {rules.map((rule) => (
        <RuleCard
          key={rule.id}
          place={place}
          rule={rule}
          draft={drafts.find(({ draft }) => draft === String(rule.id))}
        />
      ))}
      {begun.map((draft) => (
        <BegunCard key={draft.draft} place={place} draft={draft} />
      ))}
      <div className="row">{create}</div>
    </div>
  );
}

/** The name of the next draft of a rule that does not exist yet. */
function nextNew(begun: Draft[]): string {
  const names = ['new', ...Array.from({ length: begun.length }, (_, i) => `new-${i + 2}`)];
  return names.find((name) => begun.every(({ draft }) => draft !== name))!;
}

const DraftBadge = ({ draft }: { draft: Draft }) => (
  <Badge tone="accent">
    {text.rule.draft.by(draft.saved_by)} <Time at={draft.saved_at} />
  </Badge>
);

/** A rule that somebody has begun and not published. */
function BegunCard({ place, draft }: { place: EventPlace; draft: Draft }) {
  const target = {
    to: '/o/$org/events/$prj/$app/$evt',
    params: { ...place },
    search: { rule: draft.draft },
  } as const;
  const name = draft.name || text.event.newRule;
  return (
    <section className="card rule" aria-label={name}>
      <header>
        <h2>
          <Link {...target}>{name}</Link>
        </h2>
        <DraftBadge draft={draft} />
        <Link className="button small" {...target}>
          {text.event.editRule}
          <span className="hidden"> {name}</span>
        </Link>
      </header>
    </section>
  );
}

function RuleCard({ place, rule, draft }: { place: EventPlace; rule: Notification; draft: Draft | undefined }) {
  const can = useCan();
  const { org, prj } = place;
  const nameOf = useChannelNames(org, prj);
  const said = partsOf(rule, nameOf);
  const waits = [text.rule.window, text.rule.digest, text.rule.limit].filter((name) => said[name]);
  const target = {
    to: '/o/$org/events/$prj/$app/$evt',
    params: { ...place },
    search: { rule: String(rule.id) },
  } as const;
  return (
    <section className="card rule" aria-label={rule.name}>
      <header>
        <h2>
          <Link {...target}>{rule.name}</Link>
        </h2>
        {draft && <DraftBadge draft={draft} />}
        {rule.translation_gaps.length > 0 && (
          <Badge tone="warn">{text.event.translationGaps(rule.translation_gaps)}</Badge>
        )}
        {!rule.enabled && <Badge tone="warn">{text.event.off}</Badge>}
        <Link className="button small" {...target}>
          {can('notification:write') ? text.event.editRule : text.event.viewRule}
          <span className="hidden"> {rule.name}</span>
        </Link>
      </header>
      <dl className="facts">
        <dt>{text.event.when}</dt>
        <dd>{rule.when === null ? text.event.always : <code>{rule.when}</code>}</dd>
        <dt>{text.event.to}</dt>
        <dd className="row">
          {rule.distribution_lists.map((name) => (
            <ListLink key={name} org={org} project={prj} name={name} />
          ))}
          {rule.audience && (
            <span className="said">
              {text.rule.audience}: {said[text.rule.audience]}
            </span>
          )}
          {rule.to && <span>{toText(rule.to)}</span>}
          {rule.distribution_lists.length === 0 && !rule.audience && !rule.to && <span>{text.event.room}</span>}
        </dd>
        <dt>{text.event.over}</dt>
        <dd className="row">
          {rule.templates.map(({ channel }) => (
            <ChannelLink key={channel} org={org} project={prj} slug={channel} />
          ))}
        </dd>
        {rule.steps && <dt>{text.rule.steps.title}</dt>}
        {rule.steps && <dd>{rule.steps.map((step) => sayStep(step, nameOf)).join('; ')}</dd>}
        {rule.acknowledge && <dt>{text.rule.acknowledge.title}</dt>}
        {rule.acknowledge && <dd>{sayAcknowledge(rule.acknowledge)}</dd>}
        {rule.thread && <dt>{text.rule.thread}</dt>}
        {rule.thread && (
          <dd>
            <code>{rule.thread}</code>
          </dd>
        )}
        {waits.map((name) => [
          <dt key={`${name}-name`}>{name}</dt>,
          <dd key={name} className="said">
            {said[name]}
          </dd>,
        ])}
      </dl>
    </section>
  );
}
