import { reassignNumber, releaseNumber } from '../../phone/assign.ts'
import type { NumberChannel } from '../../phone/table.ts'
import { isPhoneNumber } from '../../platform/text/phone-number.ts'
import { findTeam } from '../../teams/queries.ts'
import { readArguments, refuseOtherTeamId } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'
import { withApp } from '../with-app.ts'

type Kind = {
  /** The placeholder in the usage text. */
  what: string
  /** The form of a number, as the message that refuses another names it. */
  must: string
  isNumber(text: string): boolean
}

const kinds: Record<NumberChannel, Kind> = {
  sms: {
    what: '<number>',
    must: 'The number must be in E.164 form, such as +61400000000, or a short code of 4 to 6 digits',
    isNumber: (text) => isPhoneNumber(text) || /^\d{4,6}$/.test(text),
  },
  whatsapp: {
    what: '<phoneNumberId>',
    must: "The phoneNumberId must be Meta's id of the number, up to 100 letters and digits",
    isNumber: (text) => /^[\w.-]{1,100}$/.test(text),
  },
}

/** Creates the command that assigns a provider's number to a team. */
export function assignNumberCommand(channel: NumberChannel) {
  const kind = kinds[channel]
  return async (args: string[]): Promise<void> => {
    const [number, teamId] = readArguments(args, { required: [kind.what, '<teamId>'] }).words as [string, string]
    refuseOtherNumber(kind, number)
    refuseOtherTeamId(teamId)
    await withApp(async (app) => {
      if (!(await findTeam(app.db, teamId))) throw new Error(`there is no team ${teamId}; see: posthorn team list`)
      const before = await reassignNumber(app, { channel, number }, teamId)
      const note = before !== null && before !== teamId ? ` It was team ${before}'s, whose sender was stopped.` : ''
      process.stdout.write(`The number ${number} is team ${teamId}'s.${note}\n`)
    })
  }
}

/** Creates the command that releases a number, so that any team may claim it if SENDER_NUMBERS allows claims. */
export function releaseNumberCommand(channel: NumberChannel) {
  const kind = kinds[channel]
  return async (args: string[]): Promise<void> => {
    const number = readArguments(args, { required: [kind.what] }).words[0]!
    refuseOtherNumber(kind, number)
    await withApp(async (app) => {
      const teamId = await app.transaction((tx) => releaseNumber(tx, { channel, number }))
      if (teamId === null) throw new Error(`the number ${number} is no team's.`)
      process.stdout.write(
        `The number ${number} is no longer team ${teamId}'s. Its sender stays active until it is deleted.\n`,
      )
    })
  }
}

function refuseOtherNumber({ must, isNumber }: Kind, number: string): void {
  if (!isNumber(number)) throw new UsageError(`${must}; it was "${number}".`)
}
