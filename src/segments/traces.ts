import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

export const segmentTraces = [
  maskedTraceOf({ name: 'segments', table: 'segments', key: ['id'], searched: { name: 'text' } }),
]
