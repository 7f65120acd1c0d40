import type { App } from '../../context.ts'
import { isTollFree } from '../../phone/phone-number.ts'
import { newValues, recordChange } from '../../platform/audit/record.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { isPhoneNumber, phoneNumberForm } from '../../platform/text/phone-number.ts'
import { senderColumns } from './queries.ts'
import type { NewSender } from './schema.ts'
import type { SmsSenderType } from './table.ts'

/** Creates a sender, which must then be verified. Throws `invalid`, or `conflict` if the team has the sender ID. */
export async function createSender(app: App, teamId: string, sender: NewSender) {
  const {
    name,
    senderId,
    senderType = 'alphanumeric_id',
    country = 'AU',
    defaultMessageType = 'transactional',
  } = sender
  const fault = senderIdFaults[senderType](senderId)
  if (fault) throw invalid('senderId', fault)
  if (!countries.has(country)) throw invalid('country', 'must be a country code of ISO 3166-1 alpha-2, such as AU')
  const row = await app.transaction(async (tx) => {
    const made = await tx.db
      .insertInto('sms_senders')
      .values({
        team_id: teamId,
        id: tx.newId(),
        name,
        sender_id: senderId,
        sender_type: senderType,
        country,
        default_message_type: defaultMessageType,
        created_at: tx.now,
        updated_at: tx.now,
      })
      .onConflict((existing) => existing.columns(['team_id', 'sender_id']).doNothing())
      .returning(senderColumns)
      .executeTakeFirst()
    const target = { type: 'sms_sender', id: made?.id ?? '', name }
    const changes = newValues({ senderId, senderType, country, defaultMessageType })
    if (made) await recordChange(tx, { teamId, action: 'sms_sender.created', target, changes })
    return made
  })
  if (!row) throw conflict(`The team already has a sender ${senderId}. Use that one, or delete it first.`)
  return row
}

/** The officially assigned codes of ISO 3166-1 alpha-2. */
const countries = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
   CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
   GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
   KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
   MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
   SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
   UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
)

/** For each type of sender, a function that returns the fault of a sender ID, or null. */
const senderIdFaults: Record<SmsSenderType, (senderId: string) => string | null> = {
  alphanumeric_id: (senderId) =>
    /^[A-Za-z0-9 ]{1,11}$/.test(senderId) && /[A-Za-z]/.test(senderId)
      ? null
      : 'must be 1 to 11 letters, digits and spaces, with at least one letter; give senderType for a number',
  long_code: (senderId) => (isPhoneNumber(senderId) ? null : phoneNumberForm),
  toll_free: (senderId) =>
    isTollFree(senderId) ? null : 'must be a toll-free number in E.164 form, such as +18005550199',
  short_code: (senderId) => (/^\d{4,6}$/.test(senderId) ? null : 'must be 4 to 6 digits'),
}
