import type { CreateChannel, TestChannel, UpdateChannel } from '@carillon/client';
import { carillon } from '../../api/carillon';
import { keyOf } from '../../api/read';
import type { ChannelPlace } from './place';

/** A channel of a project has another path than one of the organization. */
const OF_ORGANIZATION = '/api/o/{org}/c/';
const OF_PROJECT = '/api/o/{org}/p/{prj}/c/';

/** What to read again after a channel changed. */
export const CHANNEL_READS = [
  OF_ORGANIZATION,
  OF_PROJECT,
  `${OF_ORGANIZATION}{channel}/`,
  `${OF_PROJECT}{channel}/`,
  `${OF_ORGANIZATION}{channel}/waiting/`,
  `${OF_PROJECT}{channel}/waiting/`,
  '/api/o/{org}/channel-health/',
] as const;

/** The path of a channel with its real slugs, for a call that one copies. */
export const pathOf = (org: string, prj: string | null, channel: string) =>
  `/api/o/${org}/${prj === null ? '' : `p/${prj}/`}c/${channel && `${channel}/`}`;

export const readChannel = (org: string, prj: string | null, channel: string, signal?: AbortSignal) =>
  prj === null
    ? carillon.get(`${OF_ORGANIZATION}{channel}/`, { path: { org, channel }, signal })
    : carillon.get(`${OF_PROJECT}{channel}/`, { path: { org, prj, channel }, signal });

export const createChannel = (org: string, prj: string | null, body: CreateChannel) =>
  prj === null
    ? carillon.post(OF_ORGANIZATION, { path: { org }, body })
    : carillon.post(OF_PROJECT, { path: { org, prj }, body });

/** The version that is changed. */
type Headers = { 'If-Match'?: string };

export const updateChannel = (
  org: string,
  prj: string | null,
  channel: string,
  body: UpdateChannel,
  headers: Headers,
) =>
  prj === null
    ? carillon.patch(`${OF_ORGANIZATION}{channel}/`, { path: { org, channel }, headers, body })
    : carillon.patch(`${OF_PROJECT}{channel}/`, { path: { org, prj, channel }, headers, body });

export const removeChannel = (org: string, prj: string | null, channel: string, headers: Headers) =>
  prj === null
    ? carillon.delete(`${OF_ORGANIZATION}{channel}/`, { path: { org, channel }, headers })
    : carillon.delete(`${OF_PROJECT}{channel}/`, { path: { org, prj, channel }, headers });

export const sendTest = (org: string, prj: string | null, channel: string, body: TestChannel) =>
  prj === null
    ? carillon.post(`${OF_ORGANIZATION}{channel}/test/`, { path: { org, channel }, body })
    : carillon.post(`${OF_PROJECT}{channel}/test/`, { path: { org, prj, channel }, body });

export const checkSettings = (org: string, prj: string | null, channel: string) =>
  prj === null
    ? carillon.post(`${OF_ORGANIZATION}{channel}/check/`, { path: { org, channel } })
    : carillon.post(`${OF_PROJECT}{channel}/check/`, { path: { org, prj, channel } });

export const readDomains = (org: string, prj: string | null, channel: string) =>
  prj === null
    ? carillon.get(`${OF_ORGANIZATION}{channel}/domains/`, { path: { org, channel } })
    : carillon.get(`${OF_PROJECT}{channel}/domains/`, { path: { org, prj, channel } });

const readWaiting = (org: string, prj: string | null, channel: string, signal?: AbortSignal) =>
  prj === null
    ? carillon.get(`${OF_ORGANIZATION}{channel}/waiting/`, { path: { org, channel }, signal })
    : carillon.get(`${OF_PROJECT}{channel}/waiting/`, { path: { org, prj, channel }, signal });

/** The question what waits for a channel. A session that reaches only a part of the owner may not ask it. */
export const waitingQuery = ({ org, prj, slug: channel }: ChannelPlace) => ({
  queryKey:
    prj === null
      ? keyOf('/api/o/{org}/c/{channel}/waiting/', { path: { org, channel } })
      : keyOf('/api/o/{org}/p/{prj}/c/{channel}/waiting/', { path: { org, prj, channel } }),
  queryFn: ({ signal }: { signal: AbortSignal }) => readWaiting(org, prj, channel, signal),
  retry: false,
});

export const discardWaiting = (org: string, prj: string | null, channel: string) =>
  prj === null
    ? carillon.post(`${OF_ORGANIZATION}{channel}/discard/`, { path: { org, channel } })
    : carillon.post(`${OF_PROJECT}{channel}/discard/`, { path: { org, prj, channel } });
