import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

export const topicTraces = [maskedTraceOf({ name: 'topics', table: 'topics', key: ['id'], searched: { name: 'text' } })]
