import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

export const templateTraces = [
  maskedTraceOf({
    ...{ name: 'templates', table: 'templates', key: ['id'] },
    searched: { name: 'text', html: 'text', text: 'text' },
  }),
]
