-- The filters of the audit log, each in the order of the list.
create index audit_entries_by_time on audit_entries (team_id, at, id);
create index audit_entries_by_actor on audit_entries (team_id, actor_id, at, id);
create index audit_entries_by_actor_name on audit_entries (team_id, actor_name, at, id);
create index audit_entries_by_action on audit_entries (team_id, action, at, id);
create index audit_entries_by_target on audit_entries (team_id, target_id, at, id);
create index audit_entries_by_target_name on audit_entries (team_id, target_name, at, id);

-- Entries are removed by age, which sets posthorn.audit_removal, and with their team, by its foreign key.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (pg_trigger_depth() > 1 or current_setting('posthorn.audit_removal', true) = 'on') then
    return null;
  end if;
  raise exception 'Audit entries never change.';
end $$;
create trigger audit_entries_never_change before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();

-- One row for each request with a caller, kept seven days. Ids are ordered by time, so each day is a partition by id: it is
-- attached empty, and dropped as a whole. No foreign key, because a batch holds rows of many teams.
create table request_log (
  team_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  api_key_id uuid,
  user_id uuid,
  address text not null,
  error_name text,
  primary key (team_id, id)
) partition by range (id);
-- Most requests are 200, so these are found in the list itself.
create index request_log_by_status on request_log (team_id, status, id) where status <> 200;
create index request_log_by_path on request_log (team_id, path, id);
create index request_log_by_key on request_log (team_id, api_key_id, id);
