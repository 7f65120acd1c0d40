-- The job that hands a WhatsApp message over is named as those of the other channels.
update jobs set kind = 'whatsapp.deliver' where kind = 'whatsapp.send';

-- The order of statuses is kept in one place, the list of statuses in the code, and passed with each statement.
drop function sms_status_rank(text);
drop function whatsapp_status_rank(text);
