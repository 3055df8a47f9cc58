-- Limits are counted by `message_places`. The release before this one still deletes rows of `message_counts`, so the table stays for now.
COMMENT ON TABLE message_counts IS 'Not used since 1.0.0-rc.1: a later release drops it.';
