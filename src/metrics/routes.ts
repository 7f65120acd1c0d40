import { type Route, routesOf } from '../platform/http/route.ts'
import { counted } from './counts.ts'
import { presentCounts, presentSms, presentWebhooks } from './present.ts'
import { readMetrics } from './read.ts'
import {
  EmailMetrics,
  EmailMetricsQuery,
  MetricsQuery,
  SmsMetrics,
  WebhookMetrics,
  WhatsappMetrics,
  WorkflowMetrics,
  WorkflowMetricsQuery,
} from './schema.ts'

const route = routesOf({ access: 'full', tag: 'Metrics', command: null })

const shared =
  'A figure for each hour or day, at most 750, with zeros where nothing happened, and their total. An event counts in the hour in which it was recorded. Figures stay when messages are removed.'

export const metricsRoutes: Route[] = [
  route('GET /v1/metrics/emails', 'getEmailMetrics', {
    sdk: 'metrics.emails',
    inTest: 'apart',
    summary: 'Get figures of emails over time',
    description: `${shared} Emails are counted, not recipients; openings and clicks of machines are left out. One of \`domainId\`, \`broadcastId\`, \`workflowId\` and \`tag\` narrows the figures.`,
    query: EmailMetricsQuery,
    response: EmailMetrics,
    handle: ({ app, caller, query }) => readMetrics(app, caller, counted.emails, query, presentCounts),
  }),
  route('GET /v1/metrics/sms', 'getSmsMetrics', {
    sdk: 'metrics.sms',
    inTest: 'apart',
    summary: 'Get figures of SMS over time',
    description: `${shared} \`accepted\` and \`segments\` include messages that failed later; \`costCents\` does not.`,
    query: MetricsQuery,
    response: SmsMetrics,
    handle: ({ app, caller, query }) => readMetrics(app, caller, counted.sms, query, presentSms),
  }),
  route('GET /v1/metrics/whatsapp', 'getWhatsappMetrics', {
    sdk: 'metrics.whatsapp',
    inTest: 'apart',
    summary: 'Get figures of WhatsApp messages over time',
    description: shared,
    query: MetricsQuery,
    response: WhatsappMetrics,
    handle: ({ app, caller, query }) => readMetrics(app, caller, counted.whatsapp, query, presentCounts),
  }),
  route('GET /v1/metrics/workflows', 'getWorkflowMetrics', {
    sdk: 'metrics.workflows',
    inTest: 'apart',
    summary: 'Get figures of workflow executions over time',
    description: shared,
    query: WorkflowMetricsQuery,
    response: WorkflowMetrics,
    handle: ({ app, caller, query }) => readMetrics(app, caller, counted.workflows, query, presentCounts),
  }),
  route('GET /v1/metrics/webhooks', 'getWebhookMetrics', {
    sdk: 'metrics.webhooks',
    summary: 'Get figures of webhook deliveries over time',
    description: shared,
    query: MetricsQuery,
    response: WebhookMetrics,
    handle: ({ app, caller, query }) => readMetrics(app, caller, counted.webhooks, query, presentWebhooks),
  }),
]
