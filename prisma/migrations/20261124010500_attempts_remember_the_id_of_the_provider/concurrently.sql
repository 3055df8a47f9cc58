CREATE INDEX CONCURRENTLY attempts_provider_id_idx ON attempts (channel_id, provider_id) WHERE provider_id IS NOT NULL;
