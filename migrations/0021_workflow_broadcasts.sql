-- What a deleted workflow leaves is removed by execution.
create index workflow_broadcasts_execution on workflow_broadcasts (team_id, execution_id);
