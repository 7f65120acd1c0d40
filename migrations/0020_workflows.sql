create table credentials (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  type text not null check (type in ('bearer', 'basic', 'header')),
  -- Encrypted, and never read back.
  secret text not null,
  created_at timestamptz not null,
  primary key (team_id, id)
);

create table workflows (
  team_id uuid not null references teams on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  status text not null default 'draft' check (status in ('draft', 'active', 'inactive')),
  -- The graph that the next execution gets; those under way keep theirs.
  graph_id uuid not null,
  -- Only then may an execution have that graph; one that never was active goes when it is replaced.
  graph_was_active boolean not null default false,
  -- Shown, and answering, where the trigger is webhook_received.
  trigger_key text not null,
  created_at timestamptz not null,
  primary key (team_id, id),
  constraint workflows_trigger_key unique (trigger_key)
);

-- Never changed: an edit adds one, so that an execution and its reruns keep the graph they started with.
create table workflow_graphs (
  team_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  nodes jsonb not null,
  connections jsonb not null,
  node_count integer generated always as (jsonb_array_length(nodes)) stored,
  -- As JSON text: what a team's graphs are together is bounded.
  size_bytes integer generated always as (octet_length(nodes::text) + octet_length(connections::text)) stored,
  created_at timestamptz not null,
  primary key (team_id, id),
  foreign key (team_id, workflow_id) references workflows on delete cascade deferrable initially deferred
);
create index workflow_graphs_workflow on workflow_graphs (team_id, workflow_id);

-- What active workflows listen to: a row from activation to deactivation.
create table workflow_triggers (
  team_id uuid not null,
  workflow_id uuid not null,
  type text not null,
  -- By the names under which they are published; empty where no event fires it.
  events text[] not null,
  config jsonb not null,
  primary key (team_id, workflow_id),
  foreign key (team_id, workflow_id) references workflows on delete cascade
);

-- No foreign key: deleting a workflow with a million executions must not be one statement. Data is `json`, which keeps the
-- order of members, NUL and lone surrogates as they are: a run that is taken up again reads what the first one saw.
create table workflow_executions (
  team_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  graph_id uuid not null,
  status text not null check (status in ('running', 'completed', 'failed', 'cancelled', 'waiting')),
  node_count integer not null,
  trigger_data json not null,
  vars json not null,
  -- Place in a chain of executions that cause each other: 1 where none did.
  depth integer not null,
  rerun_of uuid,
  idempotency_key text,
  error text,
  started_at timestamptz not null,
  completed_at timestamptz,
  primary key (team_id, id)
);
create unique index workflow_executions_key on workflow_executions (team_id, workflow_id, idempotency_key)
  where idempotency_key is not null;
-- Each status is a list of its own; that of all is merged from them.
create index workflow_executions_list on workflow_executions (team_id, workflow_id, status, id);

-- A row from the moment a node begins, or is decided against; what has none is pending. The trigger has none either: it is
-- complete from the start, and its output is the execution's trigger data.
create table workflow_execution_nodes (
  team_id uuid not null,
  execution_id uuid not null,
  node_id text not null,
  -- Also the id of the email that a send_email node sends.
  id uuid not null,
  node_type text not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed', 'skipped', 'waiting')),
  attempts integer not null,
  -- Processes that died, one after the other, during the attempt that is under way.
  interruptions integer not null,
  -- When a delay ends, or the next attempt is due. A delay has its output already.
  run_at timestamptz,
  -- The path that a condition took; `none` where a filter let nothing pass.
  branch text check (branch in ('true', 'false', 'none')),
  input_data json,
  output_data json,
  error text,
  started_at timestamptz,
  completed_at timestamptz,
  primary key (team_id, execution_id, node_id)
);
create index workflow_execution_nodes_email on workflow_execution_nodes (team_id, id) where node_type = 'send_email';

-- Which execution sent a broadcast, written before it is sent: what its end sets off belongs to the same chain.
create table workflow_broadcasts (
  team_id uuid not null,
  broadcast_id uuid not null,
  execution_id uuid not null,
  primary key (team_id, broadcast_id)
);

-- For claims that go round the teams (`platform/jobs/claim-fairly.ts`): only the kinds that are claimed so pay for it.
create index jobs_workflows_run on jobs (team_id, run_at) where kind = 'workflows.run';
create index jobs_workflows_trigger on jobs (team_id, run_at) where kind = 'workflows.trigger';
