import type { Route } from '../platform/http/route.ts'
import { theirApiKeyRoutes } from './api-keys.ts'
import { theirBatchRoute } from './batch.ts'
import { theirBroadcastRoutes } from './broadcasts.ts'
import { theirContactRoutes } from './contacts.ts'
import { theirDomainRoutes } from './domains.ts'
import { theirEmailRoutes } from './emails.ts'
import { theirMembershipRoutes } from './memberships.ts'
import { theirSegmentRoutes } from './segments.ts'
import { theirSuppressionRoutes } from './suppressions.ts'
import { theirTemplateRoutes } from './templates.ts'
import { theirTopicRoutes } from './topics.ts'
import { theirWebhookRoutes } from './webhooks.ts'

/** Resend's API, below `/resend`. Each row names the operation of ours that it does. */
export const resendRoutes: Route[] = [
  ...[...theirEmailRoutes, theirBatchRoute, ...theirDomainRoutes, ...theirApiKeyRoutes, ...theirTemplateRoutes],
  ...[...theirBroadcastRoutes, ...theirWebhookRoutes, ...theirContactRoutes, ...theirSegmentRoutes],
  ...[...theirTopicRoutes, ...theirMembershipRoutes, ...theirSuppressionRoutes],
]
