import type { PathOf } from '@carillon/client';
import { carillon } from '../../../api/carillon';

/** A project, or an application of it. */
export interface Place {
  org: string;
  prj: string;
  app?: string;
}

const PROJECT = '/api/o/{org}/p/{prj}/';
const PROJECT_SETTINGS = '/api/o/{org}/p/{prj}/settings/';
const APPLICATION = '/api/o/{org}/p/{prj}/a/{app}/';

type Headers = { 'If-Match'?: string };

/** What shows the name of a project or an application. */
export const PLACE_READS: readonly PathOf<'GET'>[] = [
  ...([PROJECT, PROJECT_SETTINGS, APPLICATION, '/api/o/{org}/p/', '/api/o/{org}/p/{prj}/a/'] as const),
];

export const settingsPath = ({ app }: Place) => (app === undefined ? PROJECT_SETTINGS : APPLICATION);

export const readPlace = ({ org, prj, app }: Place) =>
  app === undefined
    ? carillon.get(PROJECT_SETTINGS, { path: { org, prj } })
    : carillon.get(APPLICATION, { path: { org, prj, app } });

export const renamePlace = ({ org, prj, app }: Place, body: { name: string }, headers: Headers) =>
  app === undefined
    ? carillon.patch(PROJECT, { path: { org, prj }, headers, body })
    : carillon.patch(APPLICATION, { path: { org, prj, app }, headers, body });

export const removePlace = ({ org, prj, app }: Place, headers: Headers): Promise<unknown> =>
  app === undefined
    ? carillon.delete(PROJECT, { path: { org, prj }, headers })
    : carillon.delete(APPLICATION, { path: { org, prj, app }, headers });
