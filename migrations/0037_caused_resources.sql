-- Emails and broadcasts that were made by a request of a workflow execution: what they trigger belongs to its chain.
create table caused_resources (
  team_id uuid not null,
  resource_id uuid not null,
  execution_id uuid not null,
  primary key (team_id, resource_id)
);
create index caused_resources_execution on caused_resources (team_id, execution_id);
