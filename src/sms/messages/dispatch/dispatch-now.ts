import { dispatchesNow } from '../../../phone/dispatch-now.ts'
import { findSms } from '../../queries.ts'
import { withdrawSms } from '../accept/withdraw.ts'
import { handOver, handOverWaiting } from './hand-over.ts'
import { recordHanded } from './record.ts'

const channel = { record: recordHanded, withdraw: withdrawSms, find: findSms }

export const dispatchNow = dispatchesNow({ ...channel, handOver })

/** Hands an SMS of a batch over within its request, in which others may come before it. */
export const dispatchOfBatch = dispatchesNow({ ...channel, handOver: handOverWaiting })
