-- What each attempt met, oldest first: a list of {at, durationMs, statusCode, error, body}. It is kept in the delivery's own row, so
-- that recording an attempt writes no further row and no further index. Null until the first attempt, and for older deliveries.
alter table webhook_deliveries add column attempt_log jsonb;
-- When a failed delivery was sent again. A replay of all that failed leaves those out that were replayed before.
alter table webhook_deliveries add column replayed_at timestamptz;
