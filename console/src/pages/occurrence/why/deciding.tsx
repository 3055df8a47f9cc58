import type { OccurrenceDetail } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChannelLink, ListLink } from '../../../components/links';
import { text } from '../../../text/text';
import { settingOf } from './setting';
import type { Decided, Setting } from './setting';

interface Props extends Decided {
  org: string;
  occurrence: OccurrenceDetail;
  user: string;
  channel: string | null;
}

/** Leads to the setting that decided. Nothing, if it was sent. */
export function Deciding({ org, occurrence, user, channel, ...decided }: Props) {
  const setting = settingOf(decided);
  if (!setting) return null;
  return (
    <p className="deciding">
      <span className="soft">{text.why.decides}</span>{' '}
      <SettingLink org={org} occurrence={occurrence} user={user} channel={channel} setting={setting} />
    </p>
  );
}

interface LinkProps {
  org: string;
  occurrence: OccurrenceDetail;
  user: string;
  channel: string | null;
  setting: Setting;
}

function SettingLink({ org, occurrence, user, channel, setting }: LinkProps): ReactNode {
  const { project, application, event } = occurrence;
  const words = text.why.settings;
  switch (setting.kind) {
    case 'event':
      return (
        <Link to="/o/$org/events/$prj/$app/$evt" params={{ org, prj: project, app: application, evt: event }}>
          {words.event}
        </Link>
      );
    case 'channel':
      return (
        <>
          {words.channel} <ChannelLink org={org} project={project} slug={channel} />
        </>
      );
    case 'lists':
      return setting.names.map((name) => (
        <span key={name}>
          {words.list} <ListLink org={org} project={project} name={name} />{' '}
        </span>
      ));
    case 'person':
      return (
        <Link to="/o/$org/people/$username" params={{ org, username: user }}>
          {words.person}
        </Link>
      );
    case 'preferences':
      return (
        <Link to="/o/$org/people/$username" params={{ org, username: user }} hash="preferences">
          {words.preferences}
        </Link>
      );
    case 'people':
      return (
        <Link to="/o/$org/people" params={{ org }} search={{ search: user }}>
          {words.people}
        </Link>
      );
    case 'suppressions':
      return (
        <Link to="/o/$org/suppressions" params={{ org }}>
          {words.suppression}
        </Link>
      );
    case 'categories':
      return (
        <Link to="/o/$org/categories" params={{ org }}>
          {words.category}
        </Link>
      );
    case 'switches':
      return (
        <Link to="/o/$org" params={{ org }}>
          {words.now}
        </Link>
      );
    case 'digest':
      return (
        <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: setting.occurrence }} search={{ user }}>
          {words.digest}
        </Link>
      );
    case 'occurrence':
      return <a href="#context">{words.occurrence}</a>;
  }
}
