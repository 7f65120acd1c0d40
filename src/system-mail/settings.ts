import { parseMailbox } from '../emails/mailbox.ts'
import * as kind from '../platform/environment/parsers.ts'
import { ConfigError } from '../platform/environment/read.ts'
import type { Settings } from '../platform/environment/settings.ts'
import { isUuid } from '../platform/ids.ts'
import { isTestTeam } from '../platform/mode/mode.ts'

const mailbox: kind.Parser<string> = {
  must: 'one address, such as hello@mail.example.com or Posthorn <hello@mail.example.com>',
  parse: (value) => (parseMailbox(value) ? value : undefined),
}

const teamId: kind.Parser<string> = {
  must: "a team's id, as `npx posthorn team list` shows it",
  // Mail of a test mode, whose id logs also name, is captured and never sent.
  parse: (value) => (isUuid(value) && !isTestTeam(value) ? value.toLowerCase() : undefined),
}

export const systemMailSettings = {
  systemFrom: {
    variable: 'SYSTEM_FROM',
    kind: mailbox,
    unset: 'no system mail',
    about:
      'Sender of system mail (verification, reset, invitations, warnings), on a verified domain of `SYSTEM_TEAM`; see [system-mail.md](system-mail.md).',
  },
  systemTeam: {
    variable: 'SYSTEM_TEAM',
    kind: teamId,
    unset: 'no system mail',
    about: 'Id of the team that sends system mail. Its owners and admins can read that mail.',
  },
  systemMailPerHour: {
    variable: 'SYSTEM_MAIL_PER_HOUR',
    kind: kind.positiveInteger,
    default: '3600',
    about:
      'System mail that the installation sends in an hour of the UTC clock: so many resets, verifications and links to new addresses, and as many others. Further mail waits for the next hour, and the log says so once.',
  },
  requireVerifiedEmail: {
    variable: 'REQUIRE_VERIFIED_EMAIL',
    kind: kind.oneOf('on', 'off'),
    default: 'off',
    about: '`on` refuses sends of a team (403) while none of its owners has verified an email address.',
  },
} satisfies Settings

/** Throws `ConfigError` if only one of `SYSTEM_FROM` and `SYSTEM_TEAM` is set. */
export function refuseHalfSystemMail({
  systemFrom,
  systemTeam,
}: {
  systemFrom: string | null
  systemTeam: string | null
}): void {
  if ((systemFrom === null) === (systemTeam === null)) return
  const [set, missing] = systemFrom === null ? ['SYSTEM_TEAM', 'SYSTEM_FROM'] : ['SYSTEM_FROM', 'SYSTEM_TEAM']
  throw new ConfigError(`${missing} must be set with ${set}, since system mail needs both; it was not set.`)
}
