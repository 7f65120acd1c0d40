import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

export const credentialTraces = [
  maskedTraceOf({ name: 'credentials', table: 'credentials', key: ['id'], searched: { name: 'text' } }),
]
