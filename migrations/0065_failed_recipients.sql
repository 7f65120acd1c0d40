-- Recipients whose email could not be made or composed. The new check allows more than the old one, so no row is read.
alter table broadcast_recipients drop constraint broadcast_recipients_outcome_check;
alter table broadcast_recipients add constraint broadcast_recipients_outcome_check check (
  outcome in ('sent', 'unsubscribed', 'suppressed', 'not_opted_in', 'cancelled', 'gone', 'failed')
) not valid;
-- When a broadcast ended because its job failed too often. The recipients that it did not reach have failed.
alter table broadcasts add column failed_at timestamptz;
