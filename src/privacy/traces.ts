import { contactTraces } from '../contacts/privacy/traces.ts'
import { emailTraces } from '../emails/privacy/traces.ts'
import { inboxTraces } from '../inbox/privacy/traces.ts'
import { discardedJobTraces } from '../platform/jobs/discarded/traces.ts'
import type { Trace } from '../platform/privacy/trace.ts'
import { requestTraces } from '../requests/privacy/traces.ts'
import { smsTraces } from '../sms/privacy/traces.ts'
import { webhookTraces } from '../webhooks/privacy/traces.ts'
import { whatsappTraces } from '../whatsapp/privacy/traces.ts'
import { executionTraces } from '../workflows/executions/privacy/traces.ts'

/** All rows that may name a person, in the order in which they are read. */
export const traces: Trace[] = [
  ...contactTraces,
  ...emailTraces,
  ...smsTraces,
  ...whatsappTraces,
  ...inboxTraces,
  ...executionTraces,
  ...webhookTraces,
  ...requestTraces,
  ...discardedJobTraces,
]
