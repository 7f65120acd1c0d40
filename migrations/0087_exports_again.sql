-- The rows of a person are read in another order. Exports under way begin anew, so that none leaves rows out.
delete from privacy_export_parts as part using privacy_requests as request
where request.status = 'running' and request.type = 'export'
  and part.team_id = request.team_id and part.request_id = request.id;
update privacy_requests set trace = null, after = '', counts = '{}' where status = 'running' and type = 'export';
