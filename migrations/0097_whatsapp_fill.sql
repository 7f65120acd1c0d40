-- Each message sent gets a status up to three times. An update writes no index if the page has room for the new version of the row,
-- also while the old versions of a whole batch of rows are still visible.
set local lock_timeout = '2s';
alter table whatsapp_messages set (fillfactor = 50);
