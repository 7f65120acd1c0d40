import type { PhoneNumberInformation, PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import type { SmsRegistrationAnswer, SmsSenderRegistration } from '../../provider.ts'

/** The most pages of an account's numbers that are read, with a hundred numbers each. */
const pagesMax = 50

/**
 * Registers a sender. A number must belong to the account, be active and send text. A name that the account lacks in
 * the sender's country is requested; Amazon grants it at once or says that the country requires a manual registration.
 * The reference is not an ARN, because teams see it and an ARN contains the operator's account number.
 */
export async function registerSender(
  client: PinpointSMSVoiceV2Client,
  sender: SmsSenderRegistration,
  abortSignal: AbortSignal,
): Promise<SmsRegistrationAnswer> {
  if (sender.senderType === 'alphanumeric_id') return registerName(client, sender, abortSignal)
  const found = await findNumber(client, sender.senderId, abortSignal)
  if (!found)
    return failed(`The AWS account has no number ${sender.senderId} in this region. Request or import it there first.`)
  if (found.Status !== 'ACTIVE')
    return failed(`${sender.senderId} is not active at Amazon yet; its status is ${found.Status}.`)
  if (!found.NumberCapabilities?.includes('SMS'))
    return failed(`${sender.senderId} cannot send text messages at Amazon.`)
  return { kind: 'active', providerRef: found.PhoneNumberId! }
}

async function findNumber(
  client: PinpointSMSVoiceV2Client,
  number: string,
  abortSignal: AbortSignal,
): Promise<PhoneNumberInformation | undefined> {
  const { DescribePhoneNumbersCommand } = await import('@aws-sdk/client-pinpoint-sms-voice-v2')
  let NextToken: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const command = new DescribePhoneNumbersCommand({ MaxResults: 100, ...(NextToken && { NextToken }) })
    const answer = await client.send(command, { abortSignal })
    const found = answer.PhoneNumbers?.find(({ PhoneNumber }) => PhoneNumber === number)
    if (found || !answer.NextToken) return found
    NextToken = answer.NextToken
  }
  return undefined
}

async function registerName(
  client: PinpointSMSVoiceV2Client,
  { senderId: SenderId, country: IsoCountryCode, defaultMessageType, senderRowId }: SmsSenderRegistration,
  abortSignal: AbortSignal,
): Promise<SmsRegistrationAnswer> {
  const { DescribeSenderIdsCommand, RequestSenderIdCommand } = await import('@aws-sdk/client-pinpoint-sms-voice-v2')
  // Amazon accepts letters, digits and hyphens, but not the blanks that a sender ID may hold.
  if (SenderId.includes(' '))
    return failed('Amazon does not accept blanks in a sender ID. Create a sender without blanks.')
  const identity = { SenderId, IsoCountryCode }
  const described = await client
    .send(new DescribeSenderIdsCommand({ SenderIds: [identity] }), { abortSignal })
    .catch((error) => (error.name === 'ResourceNotFoundException' ? null : Promise.reject(error)))
  if (described?.SenderIds?.length) return { kind: 'active', providerRef: SenderId }
  // A promotional sender may send both types.
  const MessageTypes: ('TRANSACTIONAL' | 'PROMOTIONAL')[] =
    defaultMessageType === 'transactional' ? ['TRANSACTIONAL'] : ['TRANSACTIONAL', 'PROMOTIONAL']
  const command = new RequestSenderIdCommand({ ...identity, MessageTypes, ClientToken: senderRowId })
  await client.send(command, { abortSignal })
  return { kind: 'active', providerRef: SenderId }
}

function failed(reason: string): SmsRegistrationAnswer {
  return { kind: 'failed', reason }
}
