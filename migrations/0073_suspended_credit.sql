-- What was left of the credit when the subscription stopped to entitle to its plan, in hundredths of a cent.
alter table payment_accounts add column suspended_units bigint;
