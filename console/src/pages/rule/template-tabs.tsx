import type { ProblemError } from '@carillon/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Badge } from '../../components/badge';
import { text } from '../../text/text';
import type { OwnedChannel } from '../channel/use-channels';
import type { EventPlace } from '../event/place';
import { useRead } from '../../api/read';
import type { Draft } from './draft/draft';
import { BUILT_IN_LAYOUT } from './layout-choice';
import type { RuleTemplate } from './parts';

const NO_SENDER = { from: null, reply_to: null, headers: null };

interface Props {
  place: EventPlace;
  draft: Draft;
  channels: OwnedChannel[] | undefined;
  /** The channel whose template is shown; null: who gets it and when. */
  shown: string | null;
  /** What the service would refuse of the edits. */
  error: ProblemError | null;
}

/** The mark of a tab with a fault. Pointing at it says which. */
function ToCorrect({ messages }: { messages: string[] }) {
  return (
    messages.length > 0 && (
      <span title={messages.join(' ')}>
        <Badge tone="bad">{text.rule.toCorrect}</Badge>
      </span>
    )
  );
}

/** A tab for each template, one for who gets it and when, and a choice of channels that have no template yet. */
export function TemplateTabs({ place, draft, channels, shown, error }: Props) {
  const navigate = useNavigate();
  const dispatchers = useRead('/api/dispatchers/', {}).data;
  const { templates } = draft.rule;
  const rest = (channels ?? []).filter(({ slug }) => !templates.some(({ channel }) => channel === slug));
  // A channel was made anew with another type: what is left of a draft posts to no room any more.
  const isLeftOver = ({ channel, per }: RuleTemplate) => {
    const type = channels?.find(({ slug }) => slug === channel)?.type;
    return per === 'room' && dispatchers?.some((one) => one.type === type && !one.room);
  };
  const { isDirty, edit } = draft;
  const hasLeftOver = isDirty && templates.some(isLeftOver);
  useEffect(() => {
    if (hasLeftOver) edit({ templates: templates.map((one) => (isLeftOver(one) ? { ...one, per: 'person' } : one)) });
  });
  const target = { to: '/o/$org/events/$prj/$app/$evt', params: { ...place } } as const;
  const isShown = (is: boolean) => ({
    className: 'tab',
    'data-active': is || undefined,
    'aria-current': is ? ('page' as const) : undefined,
  });
  const faultsOf = (isOwn: (field: string) => boolean) =>
    Object.entries(error?.errors ?? {}).flatMap(([field, messages]) => (isOwn(field) ? messages : []));
  const stay = ({ rule }: { rule?: string }) => ({ rule });
  function add(slug: string) {
    const type = rest.find((one) => one.slug === slug)?.type;
    const dispatcher = dispatchers?.find((one) => one.type === type);
    const isHtml = dispatcher?.parts.includes('html') && !dispatcher.room;
    const body = isHtml ? { markdown: '', text: null } : { markdown: null, text: '' };
    // A mail looks good from the start.
    const layout = type === 'email' ? BUILT_IN_LAYOUT : null;
    const per = dispatcher?.room ? ('room' as const) : ('person' as const);
    const added = { channel: slug, per, subject: null, html: null, ...NO_SENDER, layout, ...body };
    draft.edit({ templates: [...templates, added] });
    void navigate({ ...target, search: (search: { rule?: string }) => ({ ...stay(search), channel: slug }) });
  }
  return (
    <nav className="tabs template-tabs" aria-label={text.rule.tabs}>
      <Link
        {...target}
        search={(search: { rule?: string }) => ({ ...stay(search), part: 'who' })}
        {...isShown(shown === null)}
      >
        {text.rule.who}
        <ToCorrect messages={faultsOf((field) => !field.startsWith('templates'))} />
      </Link>
      {templates.map(({ channel }, place) => (
        <Link
          key={channel}
          {...target}
          search={(search: { rule?: string }) => ({ ...stay(search), channel: channel ?? undefined })}
          {...isShown(shown === channel)}
        >
          {channels?.find(({ slug }) => slug === channel)?.name ?? channel}
          <ToCorrect messages={faultsOf((field) => field.startsWith(`templates[${place}]`))} />
        </Link>
      ))}
      {rest.length > 0 && (
        <select
          className="tab-add"
          value=""
          aria-label={text.rule.addTemplate}
          onChange={(change) => add(change.target.value)}
        >
          <option value="">{text.rule.addTemplate}</option>
          {rest.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      )}
    </nav>
  );
}
