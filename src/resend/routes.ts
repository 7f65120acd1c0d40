import type { Route } from '../platform/http/route.ts'
import {
  ApiKeyChangesBody,
  createTheirApiKey,
  deleteTheirApiKey,
  listTheirApiKeys,
  NewApiKeyBody,
  updateTheirApiKey,
} from './api-keys.ts'
import { audienceRoutes } from './audience-routes.ts'
import { sendTheirBatch } from './batch.ts'
import {
  BroadcastChangesBody,
  cancelTheirBroadcast,
  createTheirBroadcast,
  deleteTheirBroadcast,
  duplicateTheirBroadcast,
  getTheirBroadcast,
  listTheirBroadcasts,
  NewBroadcastBody,
  SendBody,
  sendTheirBroadcast,
  updateTheirBroadcast,
} from './broadcasts.ts'
import {
  createTheirDomain,
  DomainChangesBody,
  deleteTheirDomain,
  getTheirDomain,
  listTheirDomains,
  NewDomainBody,
  updateTheirDomain,
  verifyTheirDomain,
} from './domains.ts'
import { BatchBody, EmailBody, RescheduleBody } from './email-body.ts'
import { cancelTheirEmail, getTheirEmail, listTheirEmails, rescheduleTheirEmail, sendTheirEmail } from './emails.ts'
import { PageQuery } from './pages.ts'
import { like } from './route-like.ts'
import {
  createTheirTemplate,
  deleteTheirTemplate,
  duplicateTheirTemplate,
  getTheirTemplate,
  listTheirTemplates,
  NewTemplateBody,
  publishTheirTemplate,
  TemplateChangesBody,
  updateTheirTemplate,
} from './templates.ts'
import {
  createTheirWebhook,
  deleteTheirWebhook,
  getTheirEvent,
  getTheirWebhook,
  listTheirAttempts,
  listTheirEvents,
  listTheirWebhooks,
  NewWebhookBody,
  replayTheirEvent,
  rotateTheirSecret,
  updateTheirWebhook,
  WebhookChangesBody,
} from './webhooks.ts'

const page = { query: PageQuery }

/** Resend's API, below `/resend`. Each row names the operation of ours that it does. */
export const resendRoutes: Route[] = [
  like('sendEmail', 'POST', '/emails', sendTheirEmail, {
    body: EmailBody,
  }),
  like('sendEmailBatch', 'POST', '/emails/batch', sendTheirBatch, { body: BatchBody }),
  like('listEmails', 'GET', '/emails', listTheirEmails, page),
  like('getEmail', 'GET', '/emails/:id', getTheirEmail),
  like('rescheduleEmail', 'PATCH', '/emails/:id', rescheduleTheirEmail, { body: RescheduleBody }),
  like('cancelEmail', 'POST', '/emails/:id/cancel', cancelTheirEmail),

  like('createDomain', 'POST', '/domains', createTheirDomain, {
    body: NewDomainBody,
    status: 201,
  }),
  like('listDomains', 'GET', '/domains', listTheirDomains, page),
  like('getDomain', 'GET', '/domains/:id', getTheirDomain),
  like('updateDomain', 'PATCH', '/domains/:id', updateTheirDomain, { body: DomainChangesBody }),
  like('verifyDomain', 'POST', '/domains/:id/verify', verifyTheirDomain),
  like('deleteDomain', 'DELETE', '/domains/:id', deleteTheirDomain),

  like('createApiKey', 'POST', '/api-keys', createTheirApiKey, {
    body: NewApiKeyBody,
    status: 201,
  }),
  like('listApiKeys', 'GET', '/api-keys', listTheirApiKeys, page),
  like('updateApiKey', 'PATCH', '/api-keys/:id', updateTheirApiKey, { body: ApiKeyChangesBody }),
  like('deleteApiKey', 'DELETE', '/api-keys/:id', deleteTheirApiKey),

  like('createTemplate', 'POST', '/templates', createTheirTemplate, {
    body: NewTemplateBody,
    status: 201,
  }),
  like('listTemplates', 'GET', '/templates', listTheirTemplates, page),
  like('getTemplate', 'GET', '/templates/:template', getTheirTemplate),
  like('updateTemplate', 'PATCH', '/templates/:template', updateTheirTemplate, { body: TemplateChangesBody }),
  like('updateTemplate', 'POST', '/templates/:template/publish', publishTheirTemplate),
  like('createTemplate', 'POST', '/templates/:template/duplicate', duplicateTheirTemplate, { status: 201 }),
  like('deleteTemplate', 'DELETE', '/templates/:template', deleteTheirTemplate),

  like('createBroadcast', 'POST', '/broadcasts', createTheirBroadcast, {
    body: NewBroadcastBody,
    status: 201,
  }),
  like('listBroadcasts', 'GET', '/broadcasts', listTheirBroadcasts, page),
  like('getBroadcast', 'GET', '/broadcasts/:id', getTheirBroadcast),
  like('updateBroadcast', 'PATCH', '/broadcasts/:id', updateTheirBroadcast, { body: BroadcastChangesBody }),
  like('sendBroadcast', 'POST', '/broadcasts/:id/send', sendTheirBroadcast, { body: SendBody, bodyOptional: true }),
  like('cancelBroadcast', 'POST', '/broadcasts/:id/cancel', cancelTheirBroadcast),
  like('createBroadcast', 'POST', '/broadcasts/:id/duplicate', duplicateTheirBroadcast, { status: 201 }),
  like('deleteBroadcast', 'DELETE', '/broadcasts/:id', deleteTheirBroadcast),

  like('createWebhook', 'POST', '/webhooks', createTheirWebhook, {
    body: NewWebhookBody,
    status: 201,
  }),
  like('listWebhooks', 'GET', '/webhooks', listTheirWebhooks, page),
  like('getWebhook', 'GET', '/webhooks/:id', getTheirWebhook),
  like('updateWebhook', 'PATCH', '/webhooks/:id', updateTheirWebhook, { body: WebhookChangesBody }),
  like('deleteWebhook', 'DELETE', '/webhooks/:id', deleteTheirWebhook),
  like('rotateWebhookSecret', 'POST', '/webhooks/:id/signing-secret/rotate', rotateTheirSecret),
  like('listDeliveries', 'GET', '/webhooks/:id/events', listTheirEvents, page),
  like('getDelivery', 'GET', '/webhooks/:id/events/:eventId', getTheirEvent),
  like('replayDelivery', 'POST', '/webhooks/:id/events/:eventId/replay', replayTheirEvent),
  like('listDeliveryAttempts', 'GET', '/webhooks/:id/events/:eventId/attempts', listTheirAttempts, page),
  ...audienceRoutes,
]
