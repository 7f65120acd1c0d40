import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

export const broadcastTraces = [
  maskedTraceOf({
    ...{ name: 'broadcasts', table: 'broadcasts', key: ['id'] },
    searched: {
      ...{ name: 'text', from_address: 'address', reply_to: 'address', segment_name: 'text' },
      ...{ subject: 'text', html: 'text', text: 'text' },
    },
  }),
]
