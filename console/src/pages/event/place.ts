/** The slugs that lead to an event. */
export interface EventPlace {
  org: string;
  prj: string;
  app: string;
  evt: string;
}

export const EVENT = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/' as const;

/** The path of an event with its real slugs, for a call that one copies. */
export const pathOf = ({ org, prj, app, evt }: EventPlace) => `/api/o/${org}/p/${prj}/a/${app}/e/${evt}/`;
