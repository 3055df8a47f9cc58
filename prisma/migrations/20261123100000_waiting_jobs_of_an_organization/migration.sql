-- See concurrently.sql.
SELECT 1;
