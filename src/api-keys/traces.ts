import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

export const apiKeyTraces = [
  maskedTraceOf({ name: 'apiKeys', table: 'api_keys', key: ['id'], searched: { name: 'text' } }),
]
