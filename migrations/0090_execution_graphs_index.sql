-- outside a transaction
create index concurrently workflow_executions_graph on workflow_executions (team_id, graph_id);
