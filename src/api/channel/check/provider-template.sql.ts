/** Templates of notifications that are compared with those of a provider. */
export const MAX_COMPARED = 100;

export interface UsedTemplateRow {
  channelId: number;
  event: string;
  notification: string;
  template: { name: string; language: string };
}

/** The templates of providers that notifications send over channels. $1: the ids of the channels, $2: where to stop. */
export const PROVIDER_TEMPLATES = `
  select t.channel_id "channelId", concat_ws('/', p.slug, a.slug, e.slug) event, n.name notification, t.rich->'template' template
  from templates t join notifications n on n.id = t.notification_id join events e on e.id = n.event_id
  join applications a on a.id = e.application_id join projects p on p.id = a.project_id
  where t.channel_id = any($1::int[]) and t.rich->'template' is not null
  order by t.id limit $2`;
