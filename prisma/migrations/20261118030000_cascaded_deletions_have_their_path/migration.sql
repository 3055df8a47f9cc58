-- PostgreSQL deletes the children of a row after the row itself, and then their audit entries could not name the parent: `ann@acme.test`
-- instead of `shop/Staff/ann@acme.test`. Here the children go first, while the path above them is still there. The arguments are pairs of
-- a table and its column, in an order in which no row is deleted that another row still refers to.
--
-- Organizations need no such trigger: a path begins below them. Users need none: see `audit_label`.
CREATE FUNCTION audit_children_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 0 .. TG_NARGS - 2 BY 2 LOOP
    -- With the organization: the keys of a project have no other index.
    EXECUTE format('DELETE FROM %I WHERE %I = $1 AND organization_id = $2', TG_ARGV[i], TG_ARGV[i + 1])
    USING OLD.id, OLD.organization_id;
  END LOOP;
  RETURN OLD;
END
$$;

CREATE TRIGGER audit_children_first BEFORE DELETE ON "projects" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'applications', 'project_id', 'distribution_lists', 'project_id', 'channels', 'project_id', 'api_keys', 'project_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "applications" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'events', 'application_id', 'status_webhooks', 'application_id', 'api_keys', 'application_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'notifications', 'event_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "notifications" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'templates', 'notification_id', 'notification_lists', 'notification_id');
CREATE TRIGGER audit_children_first BEFORE DELETE ON "distribution_lists" FOR EACH ROW EXECUTE FUNCTION audit_children_first(
  'notification_lists', 'list_id', 'members', 'list_id');
