import type { ComponentType } from 'react'
import type { Prefetch } from './api/list.ts'
import type { Answer } from './api/request.ts'
import { type RestrictedRequest, type Role, rolesOf } from './api/roles.ts'
import type { PagePath, PagePattern } from './paths.ts'

export type PageEntry = {
  path: PagePattern
  /** The name in the navigation and the command palette. For the page of one thing it is the noun, such as *Email*. */
  title: string
  load: () => Promise<{ default: ComponentType; prefetch?: Prefetch }>
  /** Shown without navigation, to people who are not signed in. */
  isOpen?: true
  /**
   * The request that the page is for. Roles that may not make it find no link, nothing is fetched ahead, and the page
   * says who may.
   */
  needs?: RestrictedRequest
  /** The kind of the things that the page shows, as `GET /v1/lookup` calls it: the command palette leads here. */
  shows?: NonNullable<Answer<'/v1/lookup'>['found']>['kind']
}

/**
 * A page in the navigation. `key` follows `g`. `isPart` says that it belongs to the page above. `glyph` has the lines
 * on a grid of 16, as those of `ui/icon.tsx`.
 */
export type PlaceEntry = { path: PagePath; key?: string; isPart?: true; glyph: string }

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
  { path: '/broadcasts/:id', title: 'Broadcast', load: () => import('./broadcasts/show.tsx'), shows: 'broadcast' },
  { path: '/broadcasts/new', title: 'New broadcast', load: () => import('./broadcasts/new.tsx'), needs: 'POST /v1/broadcasts' },
  { path: '/contacts', title: 'Contacts', load: () => import('./contacts/list.tsx') },
  { path: '/contacts/:id', title: 'Contact', load: () => import('./contacts/show.tsx'), shows: 'contact' },
  { path: '/contacts/import', title: 'Import contacts', load: () => import('./contacts/import/import.tsx'), needs: 'POST /v1/contacts/import' },
  { path: '/domains', title: 'Domains', load: () => import('./domains/list.tsx') },
  { path: '/domains/:id', title: 'Domain', load: () => import('./domains/show.tsx'), shows: 'domain' },
  { path: '/emails', title: 'Emails', load: () => import('./emails/list.tsx') },
  { path: '/emails/:id', title: 'Email', load: () => import('./emails/show.tsx'), shows: 'email' },
  { path: '/emails/new', title: 'Compose', load: () => import('./emails/new.tsx'), needs: 'POST /v1/emails' },
  { path: '/forgot', title: 'Forgot your password?', load: () => import('./session/door/forgot.tsx'), isOpen: true },
  { path: '/inbox', title: 'Inbox', load: () => import('./inbox/list.tsx') },
  { path: '/invitation', title: 'Invitation', load: () => import('./session/door/invitation.tsx'), isOpen: true },
  { path: '/metrics', title: 'Metrics', load: () => import('./metrics/show.tsx') },
  { path: '/reset', title: 'Set a new password', load: () => import('./session/door/reset.tsx'), isOpen: true },
  { path: '/segments', title: 'Segments', load: () => import('./segments/list.tsx') },
  { path: '/segments/:id', title: 'Segment', load: () => import('./segments/show.tsx'), shows: 'segment' },
  { path: '/settings', title: 'Settings', load: () => import('./settings/show.tsx') },
  { path: '/settings/account', title: 'Account', load: () => import('./settings/account/show.tsx') },
  { path: '/settings/audit', title: 'Audit log', load: () => import('./settings/audit/list.tsx'), needs: 'GET /v1/audit' },
  { path: '/settings/members', title: 'Members', load: () => import('./settings/members/list.tsx') },
  { path: '/settings/privacy', title: 'Privacy', load: () => import('./settings/privacy/show.tsx'), needs: 'POST /v1/privacy/requests' },
  { path: '/settings/requests', title: 'Request log', load: () => import('./settings/requests/list.tsx'), needs: 'GET /v1/requests' },
  { path: '/settings/requests/:id', title: 'Request', load: () => import('./settings/requests/show.tsx'), needs: 'GET /v1/requests/:requestId', shows: 'request' },
  { path: '/settings/security', title: 'Security', load: () => import('./settings/security/show.tsx') },
  { path: '/sign-in', title: 'Sign in', load: () => import('./session/door/sign-in.tsx'), isOpen: true },
  { path: '/sign-up', title: 'Create an account', load: () => import('./session/door/sign-up.tsx'), isOpen: true },
  { path: '/sms', title: 'SMS', load: () => import('./sms/list.tsx') },
  { path: '/sms/:id', title: 'SMS', load: () => import('./sms/show.tsx'), shows: 'sms' },
  { path: '/sms/opt-outs', title: 'SMS opt-outs', load: () => import('./sms/opt-outs.tsx') },
  { path: '/sms/senders', title: 'SMS senders', load: () => import('./sms/senders/list.tsx') },
  { path: '/sms/senders/:id', title: 'SMS sender', load: () => import('./sms/senders/show.tsx'), shows: 'sms_sender' },
  { path: '/start', title: 'Signing in', load: () => import('./session/door/start.tsx'), isOpen: true },
  { path: '/suppressions', title: 'Suppressions', load: () => import('./suppressions/list.tsx') },
  { path: '/templates', title: 'Templates', load: () => import('./templates/list.tsx') },
  { path: '/templates/:id', title: 'Template', load: () => import('./templates/show.tsx'), shows: 'template' },
  { path: '/templates/new', title: 'New template', load: () => import('./templates/new.tsx'), needs: 'POST /v1/templates' },
  { path: '/topics', title: 'Topics', load: () => import('./topics/list.tsx') },
  { path: '/topics/:id', title: 'Topic', load: () => import('./topics/show.tsx'), shows: 'topic' },
  { path: '/usage', title: 'Usage', load: () => import('./usage/show.tsx') },
  { path: '/verify', title: 'Confirm your address', load: () => import('./session/door/verify.tsx'), isOpen: true },
  { path: '/webhooks', title: 'Webhooks', load: () => import('./webhooks/list.tsx') },
  { path: '/webhooks/:id', title: 'Webhook', load: () => import('./webhooks/show.tsx'), shows: 'webhook' },
  { path: '/webhooks/:id/deliveries/:deliveryId', title: 'Delivery', load: () => import('./webhooks/delivery.tsx'), shows: 'delivery' },
  { path: '/whatsapp', title: 'WhatsApp', load: () => import('./whatsapp/list.tsx') },
  { path: '/whatsapp/conversations/:id', title: 'WhatsApp conversation', load: () => import('./whatsapp/conversations/show.tsx'), shows: 'whatsapp_conversation' },
  { path: '/whatsapp/messages/:id', title: 'WhatsApp message', load: () => import('./whatsapp/messages/show.tsx'), shows: 'whatsapp_message' },
  { path: '/whatsapp/senders', title: 'WhatsApp senders', load: () => import('./whatsapp/senders/list.tsx') },
  { path: '/whatsapp/senders/:id', title: 'WhatsApp sender', load: () => import('./whatsapp/senders/show.tsx'), shows: 'whatsapp_sender' },
  { path: '/whatsapp/templates', title: 'WhatsApp templates', load: () => import('./whatsapp/templates/list.tsx') },
  { path: '/whatsapp/templates/:id', title: 'WhatsApp template', load: () => import('./whatsapp/templates/show.tsx'), shows: 'whatsapp_template' },
  { path: '/workflows', title: 'Workflows', load: () => import('./workflows/list.tsx') },
  { path: '/workflows/:id', title: 'Workflow', load: () => import('./workflows/show.tsx'), shows: 'workflow' },
  { path: '/workflows/:id/executions', title: 'Executions', load: () => import('./workflows/executions/list.tsx') },
  { path: '/workflows/:id/executions/:executionId', title: 'Execution', load: () => import('./workflows/executions/show.tsx'), shows: 'execution' },
  { path: '/workflows/credentials', title: 'Credentials', load: () => import('./credentials/list.tsx') },
] as const

declare module './paths.ts' {
  interface KnownPages {
    path: (typeof table)[number]['path']
  }
}

export const pages: readonly PageEntry[] = table

/** The pages of the navigation, by group, in their order. */
// biome-ignore format: one line a page, so that additions from several sides merge
export const navigation: readonly { name: string; places: readonly PlaceEntry[] }[] = [
  {
    name: 'Channels',
    places: [
      { path: '/', key: 'o', glyph: 'M2.5 7.5L8 2.5l5.5 5v6h-4v-4h-3v4h-4z' },
      { path: '/inbox', key: 'i', glyph: 'M2.5 9l2-6h7l2 6v4.5h-11zM2.5 9h3.25l1 2h2.5l1-2h3.25' },
      { path: '/emails', key: 'e', glyph: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5' },
      { path: '/broadcasts', key: 'b', glyph: 'M2.5 6.5v3h2.25L12 13V3L4.75 6.5zM5.5 10l.75 3.5h1.5' },
      { path: '/sms', key: 's', glyph: 'M2.5 3h11v8h-5L5.5 13.5V11h-3z' },
      { path: '/sms/senders', isPart: true, glyph: 'M2.5 3h11v8h-5L5.5 13.5V11h-3zM5.5 7L7 8.5l3-3' },
      { path: '/sms/opt-outs', isPart: true, glyph: 'M2.5 3h11v8h-5L5.5 13.5V11h-3zM6.5 5.5l3 3M9.5 5.5l-3 3' },
      { path: '/whatsapp', key: 'w', glyph: 'M2.5 13.5l.75-3a5.5 5.5 0 1 1 2.25 2.25zM6 6v.5A3.5 3.5 0 0 0 9.5 10h.5' },
      { path: '/whatsapp/templates', isPart: true, glyph: 'M2.5 13.5l.75-3a5.5 5.5 0 1 1 2.25 2.25zM5.5 7h5M5.5 9.5h3' },
      { path: '/whatsapp/senders', isPart: true, glyph: 'M2.5 13.5l.75-3a5.5 5.5 0 1 1 2.25 2.25zM6 8.25l1.5 1.5L10.25 7' },
    ],
  },
  {
    name: 'Audience',
    places: [
      { path: '/contacts', key: 'c', glyph: 'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM2 13c0-2.25 1.75-3.5 4-3.5s4 1.25 4 3.5M10.5 3.25a2.25 2.25 0 0 1 0 4M12 9.75c1.25.5 2 1.5 2 3.25' },
      { path: '/contacts/import', isPart: true, glyph: 'M8 2.5v7M5 6.5l3 3 3-3M2.5 10v3.5h11V10' },
      { path: '/segments', key: 'g', glyph: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5H8zM10.5 2.75a5.5 5.5 0 0 1 2.75 2.75h-2.75z' },
      { path: '/topics', key: 't', glyph: 'M2.5 2.5h5l6 6-5 5-6-6zM5.25 5.25h.01' },
      { path: '/suppressions', key: 'x', glyph: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM4.25 4.25l7.5 7.5' },
    ],
  },
  {
    name: 'Automation',
    places: [
      { path: '/templates', key: 'p', glyph: 'M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2' },
      { path: '/workflows', key: 'f', glyph: 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v5h5' },
      { path: '/workflows/credentials', isPart: true, glyph: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5' },
      { path: '/webhooks', key: 'h', glyph: 'M6 2.5L2.5 8 6 13.5M10 2.5L13.5 8 10 13.5' },
    ],
  },
  {
    name: 'Sending',
    places: [
      { path: '/domains', key: 'd', glyph: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM2.5 8h11M8 2.5c-3 3.5-3 7.5 0 11M8 2.5c3 3.5 3 7.5 0 11' },
      { path: '/api-keys', key: 'k', glyph: 'M5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 8h6v2.5M11.5 8v2' },
      { path: '/metrics', key: 'm', glyph: 'M2.5 13.5h11M4.5 11V8M8 11V3M11.5 11V5.5' },
    ],
  },
  {
    name: 'Team',
    places: [
      { path: '/usage', key: 'u', glyph: 'M3.5 12.5a6 6 0 1 1 9 0M8 9l2.5-3.5' },
      { path: '/billing', key: 'l', glyph: 'M2 3.5h12v9H2zM2 6.5h12M4.5 10h2' },
      { path: '/settings', key: 'n', glyph: 'M2.5 4.5h6M11.5 4.5h2M10 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM2.5 11.5h2M7.5 11.5h6M6 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z' },
      { path: '/settings/members', isPart: true, glyph: 'M6.5 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM2.5 13c0-2.25 1.75-3.5 4-3.5s4 1.25 4 3.5M12 4.5v4M10 6.5h4' },
      { path: '/settings/account', isPart: true, glyph: 'M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c0-2.5 2-4 5-4s5 1.5 5 4' },
      { path: '/settings/security', isPart: true, glyph: 'M8 2l5 1.75V8c0 2.75-2 4.75-5 6-3-1.25-5-3.25-5-6V3.75z' },
      { path: '/settings/audit', isPart: true, glyph: 'M2.5 3.5h11M2.5 8h5M2.5 12.5h4M9 10.5l1.75 1.75L14 9' },
      { path: '/settings/requests', isPart: true, glyph: 'M2.5 5h11M10.5 2l3 3-3 3M13.5 11h-11M5.5 8l-3 3 3 3' },
      { path: '/settings/privacy', isPart: true, glyph: 'M1.5 8C4.5 3.25 11.5 3.25 14.5 8c-3 4.75-10 4.75-13 0zM8 9.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5z' },
    ],
  },
]

export function isFor(role: Role, page: PageEntry): boolean {
  return page.needs === undefined || rolesOf[page.needs].includes(role)
}
