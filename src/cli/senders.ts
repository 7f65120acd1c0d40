import type { NumberChannel } from '../numbers/table.ts'
import { resumeSmsSender, suspendSmsSender } from '../sms/senders/suspend.ts'
import { resumeWhatsappSender, suspendWhatsappSender } from '../whatsapp/senders/suspend.ts'
import { readArguments, refuseOtherId } from './read-arguments.ts'
import { withApp } from './with-app.ts'

const channels = {
  sms: { name: 'SMS', suspend: suspendSmsSender, resume: resumeSmsSender },
  whatsapp: { name: 'WhatsApp', suspend: suspendWhatsappSender, resume: resumeWhatsappSender },
}

/** Stops a sender until it is resumed. The words after the id are the reason that the team sees. */
export function suspendSenderCommand(channel: NumberChannel) {
  const { name, suspend } = channels[channel]
  return async (args: string[]): Promise<void> => {
    const { words: given } = readArguments(args, {
      required: ['<senderId>'],
      optional: { name: 'a reason', many: true },
    })
    const [senderId, ...words] = given as [string, ...string[]]
    refuseOtherId(senderId, 'sender', `GET /v1/${channel}/senders`)
    await withApp(async (app) => {
      const teamId = await suspend(app, senderId, words.join(' ') || null)
      if (teamId === null) throw new Error(`there is no ${name} sender ${senderId}.`)
      process.stdout.write(`The sender ${senderId} of team ${teamId} is suspended.\n`)
    })
  }
}

/** Ends a suspension. The team verifies the sender again before it can send. */
export function resumeSenderCommand(channel: NumberChannel) {
  const { name, resume } = channels[channel]
  return async (args: string[]): Promise<void> => {
    const senderId = readArguments(args, { required: ['<senderId>'] }).words[0]!
    refuseOtherId(senderId, 'sender', `GET /v1/${channel}/senders`)
    await withApp(async (app) => {
      const teamId = await resume(app, senderId)
      if (teamId === null) throw new Error(`no ${name} sender ${senderId} is suspended.`)
      process.stdout.write(`The sender ${senderId} of team ${teamId} can be verified again.\n`)
    })
  }
}
