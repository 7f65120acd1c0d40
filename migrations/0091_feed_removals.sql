-- The last place in the feed of a team of which retention removed the event. A reader that has not come as far has missed it.
create table email_event_removals (
  team_id uuid primary key references teams on delete cascade,
  position bigint not null,
  id uuid not null
);
