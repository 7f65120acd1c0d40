import { dispatchesNow } from '../../../phone/dispatch-now.ts'
import { findSms } from '../../queries.ts'
import { withdraw } from '../accept/withdraw.ts'
import { handOver } from './hand-over.ts'
import { recordHanded } from './record.ts'

/** Hands an SMS over within its request. */
export const dispatchNow = dispatchesNow({ handOver, record: recordHanded, withdraw, find: findSms })
