import { limitNames, planNames } from '../billing/plans.ts'
import { textColumns } from '../contacts/fields.ts'
import { boundNames } from '../teams/bounds/plan-bounds.ts'

const usages: Record<string, [usage: string, summary: string, detail: string]> = {
  serve: [
    'serve',
    'run Posthorn (the default)',
    'Serves the API, the workers and SMTP submission. Settings come from the environment: see the README.',
  ],
  migrate: [
    'migrate',
    'bring the database to this version',
    'Every start migrates too. Use this command to migrate before a deployment.',
  ],
  'team list': [
    'team list',
    'list the teams with their plans',
    'Prints one line for each team: id, plan, overridden limits, name.',
  ],
  'team create': [
    'team create NAME EMAIL',
    'create a further team for an account',
    `Options: --plan ${planNames.join('|')} (free where left out).
The account with the address EMAIL owns the team, and switches to it in the dashboard. A new account gets its team by
posthorn user create. With SIGNUP=closed, which is the default in production, only these two make teams.`,
  ],
  'team set-plan': [
    'team set-plan <teamId> <plan>',
    'put a team on a plan',
    `Plans: ${planNames.join(', ')}. The plan applies at once, with its SMS credit, which is renewed each month.`,
  ],
  'team set-limits': [
    'team set-limits <teamId> <limit>=<n>...',
    'override limits of a team',
    `Limits: ${limitNames.join(', ')}.
What a team may hold: ${boundNames.join(', ')}.
Without one of its own, scheduledEmails is ten times dailyEmailLimit.
<limit>=default goes back to the plan's. In force at once.`,
  ],
  'user create': [
    'user create EMAIL',
    'create an account and print a link to set its password',
    `Options: --team NAME, --plan ${planNames.join('|')} (free where left out).
The link works once, within 24 hours. It sets the password, so hand it to the owner of the address only. It is made from
PUBLIC_URL, or else from PORT: give the command the settings of the server, also those of the database.
With SIGNUP=closed, which is the default in production, this is how accounts are made.`,
  ],
  'user list': [
    'user list',
    'list the accounts with their teams',
    `Prints one line for each account: id, address, verified or unverified, two-factor or -, teams with roles, name.`,
  ],
  'user reset-link': [
    'user reset-link EMAIL',
    'print a link to set a new password',
    `Options: --remove-two-factor, for a person who lost the authenticator and the recovery codes. It is off at once.
The link works once, within 24 hours, and ends older ones. Its use ends every session of the account and keeps its API
keys. Hand it to the owner of the address only. It is made from PUBLIC_URL, or else from PORT: give the command the
settings of the server, also those of the database.`,
  ],
  'billing verify': [
    'billing verify [teamId]',
    'check that SMS credit and overage are exact',
    `Adds up every team's credit, entry by entry, against its messages, its counters and what was reported as overage,
in one snapshot. A line for each team that differs, saying what does, and then exit code 1.`,
  ],
  'contacts import': [
    'contacts import FILE.csv --team <teamId>',
    'import contacts from a CSV file',
    `Options: --team <teamId> (see: posthorn team list), --segment <segmentId> to put every contact into.
The first row names the columns: ${['email', ...textColumns, 'unsubscribed'].join(', ')}. Others are left out.
UTF-8, separated by commas, semicolons or tabs. Empty cells change nothing; a contact the team has is updated.
Rows that cannot be taken are written to FILE.rejected.csv with the reason; the exit code is 0 all the same. Run it
again after an interruption.`,
  ],
  'sms assign-number': [
    'sms assign-number <number> <teamId>',
    "give a provider's number to a team",
    `The number in E.164 form, such as +61400000000, or a short code. Only this team can verify a sender with it; a
sender of another team that has it stops.`,
  ],
  'sms release-number': [
    'sms release-number <number>',
    'take a number back from its team',
    'With SENDER_NUMBERS=claim, the first team that verifies it gets it. An active sender stays active.',
  ],
  'whatsapp assign-number': [
    'whatsapp assign-number <phoneNumberId> <teamId>',
    "give a number of Meta's to a team",
    'Only this team can verify a sender with it. An active sender of another team with this number stops.',
  ],
  'whatsapp release-number': [
    'whatsapp release-number <phoneNumberId>',
    'take a number back from its team',
    'With SENDER_NUMBERS=claim, the first team that verifies it gets it. An active sender stays active.',
  ],
  'sms suspend-sender': [
    'sms suspend-sender <senderId> [reason]',
    'stop a sender',
    'Nothing is sent from it and it cannot be verified until it is resumed. The team sees the reason.',
  ],
  'sms resume-sender': [
    'sms resume-sender <senderId>',
    'end the suspension of a sender',
    'It is not_started afterwards: its team verifies it again before it can send.',
  ],
  'whatsapp suspend-sender': [
    'whatsapp suspend-sender <senderId> [reason]',
    'stop a sender',
    'Nothing is sent from it and it cannot be verified until it is resumed. The team sees the reason.',
  ],
  'whatsapp resume-sender': [
    'whatsapp resume-sender <senderId>',
    'end the suspension of a sender',
    'It is not_started afterwards: its team verifies it again before it can send.',
  ],
  'jobs list': [
    'jobs list',
    'list jobs, the discarded ones first',
    `Options: --discarded or --failing for those alone, --kind KIND.
Prints one line for each job: id, kind, attempts, next time or running or discarded, the error of its last attempt or -.
A job is discarded when it has failed too often. It is kept for 30 days.`,
  ],
  'jobs show': [
    'jobs show <jobId>',
    'print all about a job',
    'As JSON, with the team, the id of what it works on as its key, and its payload.',
  ],
  'jobs retry': [
    'jobs retry <jobId>',
    'run a waiting or discarded job now',
    `A discarded job gets all its attempts again, and what it works on goes on: an email is delayed until it is sent.
Where that cannot be, such as for an execution that has failed, the command says what to do instead.`,
  ],
  'jobs discard': [
    'jobs discard <jobId>',
    'end a waiting job',
    `What it works on ends as after its last attempt: an email bounces, an execution fails. Jobs that come again for ever cannot
be discarded.`,
  ],
  'dashboard build': [
    'dashboard build',
    'build the dashboard ahead',
    `The server does it when the pages under /app are first needed, and keeps the result in dashboard/dist. Use this command
where the server may not write there, such as in a container image.`,
  ],
  'secrets rotate': [
    'secrets rotate',
    'encrypt stored secrets with a new APP_SECRET',
    `First start all processes with the new secret as APP_SECRET and the old one in APP_SECRET_PREVIOUS.
Works in small steps while they run; run it again after an interruption. Exit code 1 while anything is left under an
older secret.`,
  ],
  seed: [
    'seed',
    'add demo data',
    `Options: --team <teamId>, the team that gets the data (see: posthorn team list). Without it a team is made, and the
password of its owner and its API key are printed.
Adds a domain, contacts in a segment, a template, and an email of every status. Works with EMAIL_PROVIDER=capture only.`,
  ],
}

const usageWidth = Math.max(...Object.values(usages).map(([usage]) => usage.length))

function linesOf(names: string[]): string {
  return names
    .map((name) => usages[name]!)
    .map(([usage, summary]) => `  posthorn ${usage.padEnd(usageWidth)} ${summary}`)
    .join('\n')
}

const exitCodes = 'Exit codes: 0 done, 1 failed, 2 called wrongly.'

export const help = `Posthorn: the messaging platform you run yourself.

Usage:
${linesOf(Object.keys(usages))}

  --help      this text, or a command's: posthorn team set-plan --help
  --version   the version

All commands work while a server runs on the same DATA_DIR or DATABASE_URL. Results go to stdout, progress and faults to stderr.
${exitCodes}`

/** Tells whether commands of two words begin with this one, such as `team`. */
export function isGroup(word: string): boolean {
  return commandsOf(word).length > 0
}

function commandsOf(word: string): string[] {
  return Object.keys(usages).filter((name) => name.startsWith(`${word} `))
}

/** The help for arguments that name no command: the commands of a group, or all. */
export function helpFor([word = '']: string[]): string {
  return isGroup(word)
    ? `Usage:\n${linesOf(commandsOf(word))}\n\nMore about one: posthorn ${commandsOf(word)[0]} --help`
    : help
}

export function helpOf(name: string): string {
  const [usage, , detail] = usages[name]!
  return `Usage: posthorn ${usage}\n\n${detail}\n${exitCodes}`
}
