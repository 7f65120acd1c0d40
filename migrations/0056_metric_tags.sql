-- The tags whose figures are kept, by UTC day. A team that gives each email a tag of its own would otherwise get a row of figures
-- for each of them. Tags of a day beyond the bound (src/metrics/tags.ts) count into the other scopes only.
create table email_metric_tags (
  team_id uuid not null,
  day date not null,
  scope uuid not null,
  primary key (team_id, day, scope)
);

-- Tells tags from ids: an id has version 7 and a time from 2004 to 2039. One of 16,000 hashes looks like an id, and is not bounded.
create function is_tag_scope(scope uuid) returns boolean language sql immutable parallel safe
  return scope <> '00000000-0000-0000-0000-000000000000' and scope::text !~ '^01......-....-7...-[89ab]';

insert into email_metric_tags (team_id, day, scope)
  select distinct team_id, (hour at time zone 'UTC')::date, scope from email_metrics where is_tag_scope(scope);
