import { resumeSender, suspendSender } from '../../phone/suspend.ts'
import type { NumberChannel } from '../../phone/table.ts'
import { readArguments, refuseOtherId } from '../read-arguments.ts'
import { withApp } from '../with-app.ts'

const names = { sms: 'SMS', whatsapp: 'WhatsApp' }

/** Stops a sender until it is resumed. The words after the id are the reason that the team sees. */
export function suspendSenderCommand(channel: NumberChannel) {
  return async (args: string[]): Promise<void> => {
    const { words: given } = readArguments(args, {
      required: ['<senderId>'],
      optional: { name: 'a reason', many: true },
    })
    const [senderId, ...words] = given as [string, ...string[]]
    refuseOtherId(senderId, 'sender', `GET /v1/${channel}/senders`)
    await withApp(async (app) => {
      const teamId = await suspendSender(app, channel, senderId, words.join(' ') || null)
      if (teamId === null) throw new Error(`there is no ${names[channel]} sender ${senderId}.`)
      process.stdout.write(`The sender ${senderId} of team ${teamId} is suspended.\n`)
    })
  }
}

/** Ends a suspension. The team verifies the sender again before it can send. */
export function resumeSenderCommand(channel: NumberChannel) {
  return async (args: string[]): Promise<void> => {
    const senderId = readArguments(args, { required: ['<senderId>'] }).words[0]!
    refuseOtherId(senderId, 'sender', `GET /v1/${channel}/senders`)
    await withApp(async (app) => {
      const teamId = await resumeSender(app, channel, senderId)
      if (teamId === null) throw new Error(`no ${names[channel]} sender ${senderId} is suspended.`)
      process.stdout.write(`The sender ${senderId} of team ${teamId} can be verified again.\n`)
    })
  }
}
