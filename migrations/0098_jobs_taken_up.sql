-- True once a process ended while it had the job: it may have done any part of the work. `take_ups` counts such ends in a row
-- and goes back to zero.
set local lock_timeout = '2s';
alter table jobs add column taken_up boolean not null default false;
