-- Kinds of jobs are named `folder.verb-in-kebab`.
update jobs set kind = renamed.new
from (values
  ('billing.reportUsage', 'billing.report-usage'),
  ('billing.deliverSandboxEvent', 'billing.deliver-sandbox-event'),
  ('billing.endReplaced', 'billing.end-replaced'),
  ('billing.renewSandbox', 'billing.renew-sandbox'),
  ('billing.forgetStrangers', 'billing.forget-strangers'),
  ('whatsapp.verifySender', 'whatsapp.verify-sender'),
  ('whatsapp.forgetEarlyStatuses', 'whatsapp.forget-early-statuses'),
  ('workflows.parked', 'workflows.unpark')
) as renamed (old, new)
where jobs.kind = renamed.old;
