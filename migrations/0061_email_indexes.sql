-- Updates change no indexed column any more, so they write no index if the page has room for the new version of the row. Apart from
-- the migration before this one, which may run for minutes and must not wait for readers of `emails` at its end.
set local lock_timeout = '2s';
drop index emails_status;
drop index emails_dispatching;
alter table emails set (fillfactor = 50);
