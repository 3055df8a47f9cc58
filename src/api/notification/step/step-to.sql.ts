/** The users of a step of a rule, given as SQL, as a notification shows them: an object to be added to the step. Lists have the names of today. */
const shownTo = (step: string) => `
      case when ${step} ? 'to' then jsonb_build_object('to', jsonb_build_object('distribution_lists', (
        select coalesce(jsonb_agg(l.name order by l.id), '[]')
        from jsonb_array_elements_text(${step}->'to'->'lists') x(id) join distribution_lists l on l.id = x.id::int
      )) || case when ${step}->'to' ? 'audience' then jsonb_build_object('audience', ${step}->'to'->'audience') else '{}' end) else '{}' end`;

/** The steps of a rule as a notification shows them, from a column or a JSON value. */
export const shownSteps = (steps: string) => `(
      select jsonb_agg(s.step || jsonb_build_object('channels', (
        select coalesce(jsonb_agg(c.slug order by own.place), '[]')
        from jsonb_array_elements_text(s.step->'channels') with ordinality own(id, place) join channels c on c.id = own.id::int)) || ${shownTo('s.step')} order by s.place)
      from jsonb_array_elements(${steps}) with ordinality s(step, place))`;

/** The steps of a rule with the names of their lists, and the ids of their channels. */
export const stepsWithLists = (steps: string) => `
         (select jsonb_agg(s.step || ${shownTo('s.step')} order by s.place) from jsonb_array_elements(${steps}) with ordinality s(step, place))`;
