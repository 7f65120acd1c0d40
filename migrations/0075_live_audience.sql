-- True for a broadcast of test mode that a signed-in person made for a segment or a topic of the live team. Test keys do not see it.
alter table broadcasts add column reads_live boolean not null default false;

update broadcasts as broadcast set reads_live = true
from teams as team
where team.id = broadcast.team_id and team.test_of is not null and (
  exists (select from segments where team_id = team.test_of and id = broadcast.segment_id)
  or exists (select from topics where team_id = team.test_of and id = broadcast.topic_id)
);
