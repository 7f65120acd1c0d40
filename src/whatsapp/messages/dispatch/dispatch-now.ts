import { dispatchesNow } from '../../../phone/dispatch-now.ts'
import { withdrawWhatsapp } from '../accept/withdraw.ts'
import { findWhatsappMessage } from '../queries.ts'
import { handOver } from './hand-over.ts'
import { recordHanded } from './record.ts'

/** Hands a WhatsApp message over within its request. */
export const dispatchNow = dispatchesNow({
  handOver,
  record: recordHanded,
  withdraw: withdrawWhatsapp,
  find: findWhatsappMessage,
})
