-- The job that hands a WhatsApp message over is named as those of the other channels.
update jobs set kind = 'whatsapp.deliver' where kind = 'whatsapp.send';

-- The order of statuses is kept in one place, the list of statuses in the code, and passed with each statement.
drop function sms_status_rank(text);
drop function whatsapp_status_rank(text);

-- A job locks a template while it is submitted, and ends the submission of a process that died.
alter table whatsapp_templates drop column submission_id, drop column submission_ends_at;
