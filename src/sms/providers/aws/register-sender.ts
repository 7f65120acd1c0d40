import type { PhoneNumberInformation, PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import type { SmsRegistrationAnswer, SmsSenderRegistration } from '../../provider.ts'

/** Numbers of an account, a hundred at a time. */
const pagesMax = 50

/**
 * A number must be the account's, active, and able to send text. A name is asked for where the account does not have it
 * in the sender's country; Amazon gives it at once, or says that the country wants a registration, which takes people.
 * Teams see what it is called, so that is no ARN, which holds the number of the operator's account.
 */
export async function registerSender(
  client: PinpointSMSVoiceV2Client,
  sender: SmsSenderRegistration,
  abortSignal: AbortSignal,
): Promise<SmsRegistrationAnswer> {
  if (sender.senderType === 'alphanumeric_id') return registerName(client, sender, abortSignal)
  const found = await findNumber(client, sender.senderId, abortSignal)
  if (!found)
    return failed(
      `${sender.senderId} is no number of the AWS account in this region. Request or import it there first.`,
    )
  if (found.Status !== 'ACTIVE') return failed(`${sender.senderId} is not active at Amazon yet: it is ${found.Status}.`)
  if (!found.NumberCapabilities?.includes('SMS')) return failed(`${sender.senderId} sends no text messages at Amazon.`)
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
  // `[A-Za-z0-9-]`, with a letter: what Amazon takes is less than what a sender ID may hold.
  if (SenderId.includes(' ')) return failed('Amazon takes no blanks in a sender ID. Make a sender without.')
  const identity = { SenderId, IsoCountryCode }
  const described = await client
    .send(new DescribeSenderIdsCommand({ SenderIds: [identity] }), { abortSignal })
    .catch((error) => (error.name === 'ResourceNotFoundException' ? null : Promise.reject(error)))
  if (described?.SenderIds?.length) return { kind: 'active', providerRef: SenderId }
  // A promotional sender may send both.
  const MessageTypes: ('TRANSACTIONAL' | 'PROMOTIONAL')[] =
    defaultMessageType === 'transactional' ? ['TRANSACTIONAL'] : ['TRANSACTIONAL', 'PROMOTIONAL']
  const command = new RequestSenderIdCommand({ ...identity, MessageTypes, ClientToken: senderRowId })
  await client.send(command, { abortSignal })
  return { kind: 'active', providerRef: SenderId }
}

function failed(reason: string): SmsRegistrationAnswer {
  return { kind: 'failed', reason }
}
