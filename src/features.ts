import { apiKeys } from './api-keys/feature.ts'
import { audience } from './audience/feature.ts'
import { audit } from './audit/feature.ts'
import { auth } from './auth/feature.ts'
import { billing } from './billing/feature.ts'
import { broadcasts } from './broadcasts/feature.ts'
import { contacts } from './contacts/feature.ts'
import { credentials } from './credentials/feature.ts'
import { dashboard } from './dashboard/feature.ts'
import { domains } from './domains/feature.ts'
import { emails } from './emails/feature.ts'
import { feed } from './feed/feature.ts'
import { health } from './health/feature.ts'
import { inbox } from './inbox/feature.ts'
import { installation } from './installation/feature.ts'
import { live } from './live/feature.ts'
import { lookup } from './lookup/feature.ts'
import { mcp } from './mcp/feature.ts'
import { metrics } from './metrics/feature.ts'
import type { Feature } from './platform/feature.ts'
import { requestKeyRemovals } from './platform/idempotency/removals.ts'
import { idempotencyTraces } from './platform/idempotency/traces.ts'
import { discardedJobRemovals } from './platform/jobs/discarded/removals.ts'
import { discardedJobTraces } from './platform/jobs/discarded/traces.ts'
import { tellRestored } from './platform/jobs/restored/tell.ts'
import { jobTraces } from './platform/jobs/traces.ts'
import { storedKeyColumns } from './platform/stored-keys/open.ts'
import { postmark } from './postmark/feature.ts'
import { previews } from './previews/feature.ts'
import { privacy } from './privacy/feature.ts'
import { rateLimits } from './rate-limits/feature.ts'
import { reference } from './reference/feature.ts'
import { requests } from './requests/feature.ts'
import { resend } from './resend/feature.ts'
import { retention } from './retention/feature.ts'
import { segments } from './segments/feature.ts'
import { sendgrid } from './sendgrid/feature.ts'
import { sms } from './sms/feature.ts'
import { smtp } from './smtp/feature.ts'
import { suppressions } from './suppressions/feature.ts'
import { systemMail } from './system-mail/feature.ts'
import { teams } from './teams/feature.ts'
import { templates } from './templates/feature.ts'
import { topics } from './topics/feature.ts'
import { unsubscribe } from './unsubscribe/feature.ts'
import { webhooks } from './webhooks/feature.ts'
import { whatsapp } from './whatsapp/feature.ts'
import { workflows } from './workflows/feature.ts'

/**
 * Features whose rows may grow old or name a person. Erasures go from the last to the first, so a feature stands after
 * those from whose rows its own are made.
 */
const keepers: Feature[] = [
  health,
  reference,
  {
    name: 'platform',
    jobs: [tellRestored],
    sealed: storedKeyColumns,
    traces: [...idempotencyTraces, ...jobTraces, ...discardedJobTraces],
    removals: [...requestKeyRemovals, ...discardedJobRemovals],
  },
  teams,
  auth,
  apiKeys,
  billing,
  rateLimits,
  audit,
  requests,
  suppressions,
  domains,
  templates,
  audience,
  topics,
  segments,
  contacts,
  emails,
  sms,
  whatsapp,
  broadcasts,
  previews,
  credentials,
  workflows,
  webhooks,
  metrics,
  systemMail,
  unsubscribe,
  smtp,
  inbox,
  resend,
  sendgrid,
  postmark,
]

const persons = privacy(keepers)
const others = [mcp, installation, lookup, live, feed, dashboard]

/** All features. */
export const features: Feature[] = [...keepers, retention([...keepers, persons, ...others]), persons, ...others]
