-- Messages to our numbers are kept beside those that the capture provider kept. Of a received one, the first number is the person's.
alter table inbox_sms add column direction text not null default 'outbound' check (direction in ('outbound', 'inbound'));
alter table inbox_whatsapp add column direction text not null default 'outbound' check (direction in ('outbound', 'inbound'));
