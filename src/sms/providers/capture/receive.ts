import type { App, Caller } from '../../../context.ts'
import { invalid } from '../../../platform/errors.ts'
import { refuseSimulation } from '../../../platform/mode/refuse-simulation.ts'
import { isPhoneNumber, phoneNumberForm } from '../../../platform/text/phone-number.ts'
import { refuseOtherRole } from '../../../teams/roles/refuse-role.ts'
import { marketers } from '../../../teams/roles/roles.ts'
import { type KeywordAction, keywordAction } from '../../opt-outs/keywords.ts'
import { recordInboundSms } from '../../opt-outs/record-inbound.ts'
import type { InboundSms } from '../../provider.ts'

/**
 * Records a simulated message to any number, for the caller's team only. Throws `forbidden` in live mode with another
 * provider, and for a word that ends an opt-out if the person may not end it otherwise.
 */
export async function receiveCaptured(
  app: App,
  caller: Caller,
  sms: InboundSms,
): Promise<{ received: true; action: KeywordAction | null }> {
  refuseSimulation(caller, 'SMS_PROVIDER', app.providers.sms.live.name)
  if (!isPhoneNumber(sms.from)) throw invalid('from', phoneNumberForm)
  const isLiveOptIn = caller.mode === 'live' && keywordAction(sms.body) === 'opted_in'
  if (isLiveOptIn) refuseOtherRole(caller, marketers)
  const teams = { receiving: [caller.teamId], heeding: [caller.teamId] }
  return { received: true, action: await recordInboundSms(app, teams, sms, 'unproven') }
}
