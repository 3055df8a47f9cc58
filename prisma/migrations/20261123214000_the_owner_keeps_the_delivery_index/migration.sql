-- Only the owner of an index may summarize it. The service may connect with a role that owns nothing (docs/operations.md, "Roles"):
-- these functions run with the rights of the role that migrates.
CREATE FUNCTION summarize_deliveries() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT brin_summarize_new_values('deliveries_of_user_idx') $$;

CREATE FUNCTION refresh_delivery_index(first_page bigint, last_page bigint) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$
  SELECT sum(brin_summarize_range('deliveries_of_user_idx', page))::int
  FROM (
    SELECT page, brin_desummarize_range('deliveries_of_user_idx', page) gone
    FROM generate_series(first_page, last_page, 4) page OFFSET 0
  ) pages
$$;
