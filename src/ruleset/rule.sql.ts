/** The channels of the templates of a ruleset `r`, by id. */
export const CHANNELS_OF_RULES = `
  (select jsonb_object_agg(c.id, jsonb_build_object('id', c.id, 'slug', c.slug, 'type', c.type, 'enabled', c.enabled, 'config', c.config))
   from channels c where c.organization_id = r.organization_id and c.id in (
     select (template->>'channel')::int
     from jsonb_array_elements(r.rules) rule, jsonb_array_elements(rule->'templates') template))`;
