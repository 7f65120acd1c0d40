import type { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2'
import { type CallSettings, callSettings } from '../../../platform/aws/call-settings.ts'

/** Creates the client when it is first needed, because the AWS library is large. */
export function awsClient({ region, ...settings }: CallSettings & { region: string }) {
  let client: Promise<PinpointSMSVoiceV2Client> | undefined
  async function make(): Promise<PinpointSMSVoiceV2Client> {
    const { PinpointSMSVoiceV2Client } = await import('@aws-sdk/client-pinpoint-sms-voice-v2')
    return new PinpointSMSVoiceV2Client({ ...callSettings(settings), region })
  }
  return {
    get(): Promise<PinpointSMSVoiceV2Client> {
      client ??= make()
      return client
    },
    async close(): Promise<void> {
      ;(await client)?.destroy()
    },
  }
}
