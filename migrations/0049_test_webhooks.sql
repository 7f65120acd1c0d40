-- Whether a webhook gets events of messages that test keys sent.
alter table webhooks add column include_test boolean not null default false;
