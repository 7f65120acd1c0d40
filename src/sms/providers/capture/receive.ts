import type { App } from '../../../context.ts'
import { invalid } from '../../../platform/errors.ts'
import { isPhoneNumber, phoneNumberForm } from '../../../platform/phone-number.ts'
import type { KeywordAction } from '../../opt-outs/keywords.ts'
import { recordInboundSms } from '../../opt-outs/record-inbound.ts'
import type { InboundSms } from '../../provider.ts'

/** Records a simulated message to any number, for the caller's team only. */
export async function receiveCaptured(
  app: App,
  teamId: string,
  sms: InboundSms,
): Promise<{ received: true; action: KeywordAction | null }> {
  if (!isPhoneNumber(sms.from)) throw invalid('from', phoneNumberForm)
  return { received: true, action: await recordInboundSms(app, [teamId], sms) }
}
