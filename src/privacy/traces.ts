import { apiKeyTraces } from '../api-keys/privacy/traces.ts'
import { invitationTraces } from '../auth/invitations/privacy/traces.ts'
import { broadcastTraces } from '../broadcasts/privacy/traces.ts'
import { contactTraces } from '../contacts/privacy/traces.ts'
import { credentialTraces } from '../credentials/privacy/traces.ts'
import { emailTraces } from '../emails/privacy/traces.ts'
import { inboxTraces } from '../inbox/privacy/traces.ts'
import { idempotencyTraces } from '../platform/idempotency/traces.ts'
import { discardedJobTraces } from '../platform/jobs/discarded/traces.ts'
import { jobTraces } from '../platform/jobs/traces.ts'
import type { Trace } from '../platform/privacy/trace.ts'
import { requestTraces } from '../requests/privacy/traces.ts'
import { segmentTraces } from '../segments/privacy/traces.ts'
import { smsTraces } from '../sms/privacy/traces.ts'
import { suppressionTraces } from '../suppressions/privacy/traces.ts'
import { templateTraces } from '../templates/privacy/traces.ts'
import { topicTraces } from '../topics/privacy/traces.ts'
import { webhookTraces } from '../webhooks/privacy/traces.ts'
import { whatsappTraces } from '../whatsapp/privacy/traces.ts'
import { executionTraces } from '../workflows/executions/privacy/traces.ts'
import { workflowTraces } from '../workflows/privacy/traces.ts'

/** Rows that the team has written, in which `erased` takes the place of the person. */
const configurationTraces: Trace[] = [
  ...broadcastTraces,
  ...templateTraces,
  ...segmentTraces,
  ...topicTraces,
  ...workflowTraces,
  ...apiKeyTraces,
  ...credentialTraces,
  ...invitationTraces,
]

/** All rows that may name a person, in the order in which they are read. */
export const traces: Trace[] = [
  ...contactTraces,
  ...emailTraces,
  ...smsTraces,
  ...whatsappTraces,
  ...inboxTraces,
  ...suppressionTraces,
  ...executionTraces,
  ...webhookTraces,
  ...requestTraces,
  ...idempotencyTraces,
  ...jobTraces,
  ...discardedJobTraces,
  ...configurationTraces,
]
