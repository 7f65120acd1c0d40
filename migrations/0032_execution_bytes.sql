-- Executions count towards what a team stores: their data, and 200 bytes for a row with its entries in indexes, because
-- executions of many nodes and little data fill a disk too. Rows that are added or changed are noted by the statement that
-- writes them, rows that are deleted by the triggers below.
create function execution_bytes(trigger_data json, vars json) returns bigint immutable language sql
return 200 + octet_length(trigger_data::text) + octet_length(vars::text);

create function execution_node_bytes(input_data json, output_data json, error text) returns bigint immutable language sql
return 200 + coalesce(octet_length(input_data::text), 0) + coalesce(octet_length(output_data::text), 0)
  + coalesce(octet_length(error), 0);

create trigger note_stored_bytes_delete after delete on workflow_executions referencing old table as gone
  for each statement execute function note_stored_bytes('execution_bytes(trigger_data, vars)');
create trigger note_stored_bytes_delete after delete on workflow_execution_nodes referencing old table as gone
  for each statement execute function note_stored_bytes('execution_node_bytes(input_data, output_data, error)');

-- Counts the rows that exist already.
insert into stored_byte_changes (team_id, change)
select team_id, sum(execution_bytes(trigger_data, vars)) from workflow_executions group by team_id;
insert into stored_byte_changes (team_id, change)
select team_id, sum(execution_node_bytes(input_data, output_data, error)) from workflow_execution_nodes group by team_id;
