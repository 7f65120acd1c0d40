import { type RestrictedRequest, type Role, rolesOf } from './api/roles.ts'
import type { PagePattern } from './paths.ts'
import type { PageModule } from './shell/page-module.ts'

export type PageEntry = {
  path: PagePattern
  title: string
  load: () => Promise<PageModule>
  /** Shown without navigation, to people who are not signed in. */
  isOpen?: true
  /**
   * The request that the page is for. Roles that may not make it find no link, nothing is fetched ahead, and the page
   * says who may.
   */
  needs?: RestrictedRequest
}

/**
 * The pages: path under `/app`, title, and the module that is loaded when the page is shown or its link is hovered.
 * `:name` in a path is a parameter. The server reads this table to know which paths exist. Sorted by path; one line a
 * page.
 */
// biome-ignore format: one line a page, so that additions from several sides merge
const table = [
  { path: '/', title: 'Overview', load: () => import('./overview/show.tsx') },
  { path: '/address', title: 'Confirm your new address', load: () => import('./session/door/address.tsx'), isOpen: true },
  { path: '/api-keys', title: 'API keys', load: () => import('./api-keys/list.tsx') },
  { path: '/billing', title: 'Billing', load: () => import('./billing/show.tsx'), needs: 'GET /v1/billing/subscription' },
  { path: '/broadcasts', title: 'Broadcasts', load: () => import('./broadcasts/list.tsx') },
  { path: '/broadcasts/:id', title: 'Broadcast', load: () => import('./broadcasts/show.tsx') },
  { path: '/broadcasts/new', title: 'New broadcast', load: () => import('./broadcasts/new.tsx'), needs: 'POST /v1/broadcasts' },
  { path: '/contacts', title: 'Contacts', load: () => import('./contacts/list.tsx') },
  { path: '/contacts/:id', title: 'Contact', load: () => import('./contacts/show.tsx') },
  { path: '/contacts/import', title: 'Import contacts', load: () => import('./contacts/import/import.tsx'), needs: 'POST /v1/contacts/import' },
  { path: '/domains', title: 'Domains', load: () => import('./domains/list.tsx') },
  { path: '/domains/:id', title: 'Domain', load: () => import('./domains/show.tsx') },
  { path: '/emails', title: 'Emails', load: () => import('./emails/list.tsx') },
  { path: '/emails/:id', title: 'Email', load: () => import('./emails/show.tsx') },
  { path: '/emails/new', title: 'Compose', load: () => import('./emails/new.tsx'), needs: 'POST /v1/emails' },
  { path: '/forgot', title: 'Forgot your password?', load: () => import('./session/door/forgot.tsx'), isOpen: true },
  { path: '/inbox', title: 'Inbox', load: () => import('./inbox/list.tsx') },
  { path: '/invitation', title: 'Invitation', load: () => import('./session/door/invitation.tsx'), isOpen: true },
  { path: '/metrics', title: 'Metrics', load: () => import('./metrics/show.tsx') },
  { path: '/reset', title: 'Set a new password', load: () => import('./session/door/reset.tsx'), isOpen: true },
  { path: '/segments', title: 'Segments', load: () => import('./segments/list.tsx') },
  { path: '/segments/:id', title: 'Segment', load: () => import('./segments/show.tsx') },
  { path: '/settings', title: 'Settings', load: () => import('./settings/show.tsx') },
  { path: '/settings/account', title: 'Account', load: () => import('./settings/account/show.tsx') },
  { path: '/settings/audit', title: 'Audit log', load: () => import('./settings/audit/list.tsx'), needs: 'GET /v1/audit' },
  { path: '/settings/members', title: 'Members', load: () => import('./settings/members/list.tsx') },
  { path: '/settings/privacy', title: 'Privacy', load: () => import('./settings/privacy/show.tsx'), needs: 'POST /v1/privacy/requests' },
  { path: '/settings/requests', title: 'Request log', load: () => import('./settings/requests/list.tsx'), needs: 'GET /v1/requests' },
  { path: '/settings/requests/:id', title: 'Request', load: () => import('./settings/requests/show.tsx'), needs: 'GET /v1/requests/:requestId' },
  { path: '/settings/security', title: 'Security', load: () => import('./settings/security/show.tsx') },
  { path: '/sign-in', title: 'Sign in', load: () => import('./session/door/sign-in.tsx'), isOpen: true },
  { path: '/sign-up', title: 'Create an account', load: () => import('./session/door/sign-up.tsx'), isOpen: true },
  { path: '/sms', title: 'SMS', load: () => import('./sms/list.tsx') },
  { path: '/sms/:id', title: 'SMS message', load: () => import('./sms/show.tsx') },
  { path: '/sms/opt-outs', title: 'SMS opt-outs', load: () => import('./sms/opt-outs.tsx') },
  { path: '/sms/senders', title: 'SMS senders', load: () => import('./sms/senders/list.tsx') },
  { path: '/sms/senders/:id', title: 'SMS sender', load: () => import('./sms/senders/show.tsx') },
  { path: '/start', title: 'Signing in', load: () => import('./session/door/start.tsx'), isOpen: true },
  { path: '/suppressions', title: 'Suppressions', load: () => import('./suppressions/list.tsx') },
  { path: '/templates', title: 'Templates', load: () => import('./templates/list.tsx') },
  { path: '/templates/:id', title: 'Template', load: () => import('./templates/show.tsx') },
  { path: '/templates/new', title: 'New template', load: () => import('./templates/new.tsx'), needs: 'POST /v1/templates' },
  { path: '/topics', title: 'Topics', load: () => import('./topics/list.tsx') },
  { path: '/topics/:id', title: 'Topic', load: () => import('./topics/show.tsx') },
  { path: '/usage', title: 'Usage', load: () => import('./usage/show.tsx') },
  { path: '/verify', title: 'Confirm your address', load: () => import('./session/door/verify.tsx'), isOpen: true },
  { path: '/webhooks', title: 'Webhooks', load: () => import('./webhooks/list.tsx') },
  { path: '/webhooks/:id', title: 'Webhook', load: () => import('./webhooks/show.tsx') },
  { path: '/webhooks/:id/deliveries/:deliveryId', title: 'Delivery', load: () => import('./webhooks/delivery.tsx') },
  { path: '/whatsapp', title: 'WhatsApp', load: () => import('./whatsapp/list.tsx') },
  { path: '/whatsapp/conversations/:id', title: 'WhatsApp conversation', load: () => import('./whatsapp/conversations/show.tsx') },
  { path: '/whatsapp/messages/:id', title: 'WhatsApp message', load: () => import('./whatsapp/messages/show.tsx') },
  { path: '/whatsapp/senders', title: 'WhatsApp senders', load: () => import('./whatsapp/senders/list.tsx') },
  { path: '/whatsapp/senders/:id', title: 'WhatsApp sender', load: () => import('./whatsapp/senders/show.tsx') },
  { path: '/whatsapp/templates', title: 'WhatsApp templates', load: () => import('./whatsapp/templates/list.tsx') },
  { path: '/whatsapp/templates/:id', title: 'WhatsApp template', load: () => import('./whatsapp/templates/show.tsx') },
  { path: '/workflows', title: 'Workflows', load: () => import('./workflows/list.tsx') },
  { path: '/workflows/:id', title: 'Workflow', load: () => import('./workflows/show.tsx') },
  { path: '/workflows/:id/executions', title: 'Executions', load: () => import('./workflows/executions/list.tsx') },
  { path: '/workflows/:id/executions/:executionId', title: 'Execution', load: () => import('./workflows/executions/show.tsx') },
  { path: '/workflows/credentials', title: 'Credentials', load: () => import('./credentials/list.tsx') },
] as const

declare module './paths.ts' {
  interface KnownPages {
    path: (typeof table)[number]['path']
  }
}

export const pages: readonly PageEntry[] = table

/** Tells whether a page is for a role. */
export function isFor(role: Role, page: PageEntry | undefined): boolean {
  return page?.needs === undefined || rolesOf[page.needs].includes(role)
}
