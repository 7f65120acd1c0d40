create table webhooks (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  endpoint_url text not null,
  events text[] not null,
  signing_secret text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz not null,
  primary key (team_id, id)
);

-- One row through all its attempts, and the queue of its endpoint: who holds the endpoint's job works off what is due.
-- No foreign key: deleting an endpoint with a million deliveries must not be one statement. Whoever adds a delivery
-- locks the endpoint first (`for key share`), so none is added to one that is gone.
create table webhook_deliveries (
  team_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  response_status_code integer,
  last_attempt_at timestamptz,
  -- When the next attempt is due, the first one included; null once the delivery is finished.
  due_at timestamptz,
  -- The body as it is sent and signed, byte for byte.
  payload text not null,
  created_at timestamptz not null,
  check ((status = 'pending') = (due_at is not null)),
  primary key (webhook_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_type on webhook_deliveries (webhook_id, event_type, id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id) where status = 'failed';
