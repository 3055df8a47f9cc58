/**
 * The ruleset with an id, given as SQL: a table `r` to be joined, with its organization and its rules. `offset 0`: otherwise PostgreSQL would
 * put the rules together again for every use of the column.
 */
export const rulesetOf = (id: string) => `lateral (
    select s.id, s.organization_id, (
      select coalesce(jsonb_agg(v.rule order by version.place), '[]')
      from unnest(s.versions) with ordinality version(id, place) join rule_versions v on v.id = version.id
    ) rules
    from rulesets s where s.id = ${id} offset 0
  ) r on true`;

/** The channels of the templates of a ruleset `r`, by id. */
export const CHANNELS_OF_RULES = `
  (select jsonb_object_agg(c.id, jsonb_build_object('id', c.id, 'slug', c.slug, 'type', c.type, 'enabled', c.enabled, 'config', c.config))
   from channels c where c.organization_id = r.organization_id and c.id in (
     select (template->>'channel')::int
     from jsonb_array_elements(r.rules) rule, jsonb_array_elements(rule->'templates') template))`;
