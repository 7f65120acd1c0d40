import { isTollFree } from '../../phone/phone-number.ts'
import { isPhoneNumber, phoneNumberForm } from '../../platform/text/phone-number.ts'
import type { SmsSenderType } from './table.ts'

/** Returns the fault of a sender ID of the given type, or null. */
export function senderIdFault(type: SmsSenderType, senderId: string): string | null {
  return checks[type](senderId)
}

const checks: Record<SmsSenderType, (senderId: string) => string | null> = {
  alphanumeric_id: (senderId) =>
    /^[A-Za-z0-9 ]{1,11}$/.test(senderId) && /[A-Za-z]/.test(senderId)
      ? null
      : 'must be 1 to 11 letters, digits and spaces, with at least one letter; give senderType for a number',
  long_code: (senderId) => (isPhoneNumber(senderId) ? null : phoneNumberForm),
  toll_free: (senderId) =>
    isTollFree(senderId) ? null : 'must be a toll-free number in E.164 form, such as +18005550199',
  short_code: (senderId) => (/^\d{4,6}$/.test(senderId) ? null : 'must be 4 to 6 digits'),
}
