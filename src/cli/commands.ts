import { limitNames, planNames } from '../billing/plans.ts'
import { textColumns } from '../contacts/fields.ts'
import { boundNames } from '../teams/bounds/plan-bounds.ts'

type Command = {
  /** How it is called, with its arguments. */
  usage: string
  summary: string
  detail: string
  /** It takes neither arguments nor options. */
  takesNothing?: true
  /** Each command is loaded when it is run, so that `--help` is instant. */
  load(): Promise<(args: string[]) => Promise<void>>
}

/** All commands, in the order of the help. */
export const commands: Record<string, Command> = {
  serve: {
    usage: 'serve',
    summary: 'run Posthorn (the default)',
    detail: 'Serves the API, the workers and SMTP submission. Settings come from the environment: see the README.',
    takesNothing: true,
    load: async () => (await import('../main.ts')).serve,
  },
  migrate: {
    usage: 'migrate',
    summary: 'bring the database to this version',
    detail: `Options: --check, which changes nothing: it prints what is pending, and the exit code is 0 if that is nothing, 3 if
it is something, and 1 if a start would be refused or the database does not answer.
Every start migrates too. Use this command to migrate before a deployment.`,
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  'team list': {
    usage: 'team list',
    summary: 'list the teams with their plans',
    detail: 'Prints one line for each team: id, plan, overridden limits, name.',
    takesNothing: true,
    load: async () => (await import('./commands/team.ts')).listTeams,
  },
  'team create': {
    usage: 'team create NAME EMAIL',
    summary: 'create a further team for an account',
    detail: `Options: --plan ${planNames.join('|')} (free where left out).
The account with the address EMAIL owns the team, and switches to it in the dashboard. A new account gets its team by
posthorn user create. With SIGNUP=closed, which is the default in production, only these two make teams.`,
    load: async () => (await import('./commands/team-create.ts')).createTeamCommand,
  },
  'team set-plan': {
    usage: 'team set-plan <teamId> <plan>',
    summary: 'put a team on a plan',
    detail: `Plans: ${planNames.join(', ')}. The plan applies at once, with its SMS credit, which is renewed each month.`,
    load: async () => (await import('./commands/team.ts')).setPlanCommand,
  },
  'team set-limits': {
    usage: 'team set-limits <teamId> <limit>=<n>...',
    summary: 'override limits of a team',
    detail: `Limits: ${limitNames.join(', ')}.
Bounds of what a team holds: ${boundNames.join(', ')}.
Without one of its own, scheduledEmails is ten times dailyEmailLimit.
<limit>=default goes back to the plan's. In force at once.`,
    load: async () => (await import('./commands/team.ts')).setLimits,
  },
  'user create': {
    usage: 'user create EMAIL',
    summary: 'create an account and print a link to set its password',
    detail: `Options: --team NAME, --plan ${planNames.join('|')} (free where left out).
The link works once, within 24 hours. It sets the password, so hand it to the owner of the address only. It is made from
PUBLIC_URL, or else from PORT: give the command the settings of the server, also those of the database.
With SIGNUP=closed, which is the default in production, this is how accounts are made.`,
    load: async () => (await import('./commands/user.ts')).createUserCommand,
  },
  'user list': {
    usage: 'user list',
    summary: 'list the accounts with their teams',
    detail: `Prints one line for each account: id, address, verified or unverified, two-factor or -, teams with roles, name.`,
    takesNothing: true,
    load: async () => (await import('./commands/user-list.ts')).listUsersCommand,
  },
  'user reset-link': {
    usage: 'user reset-link EMAIL',
    summary: 'print a link to set a new password',
    detail: `Options: --remove-two-factor, for a person who lost the authenticator and the recovery codes. It is off at once.
The link works once, within 24 hours, and ends older ones. Its use ends every session of the account and keeps its API
keys. Hand it to the owner of the address only. It is made from PUBLIC_URL, or else from PORT: give the command the
settings of the server, also those of the database.`,
    load: async () => (await import('./commands/reset-link.ts')).resetLinkCommand,
  },
  'billing verify': {
    usage: 'billing verify [teamId]',
    summary: 'check that SMS credit and overage are exact',
    detail: `Adds up every team's credit, entry by entry, against its messages, its counters and what was reported as overage,
in one snapshot. A line for each team that differs, saying what does, and then exit code 1.`,
    load: async () => (await import('./commands/billing.ts')).verifyBillingCommand,
  },
  'contacts import': {
    usage: 'contacts import FILE.csv --team <teamId>',
    summary: 'import contacts from a CSV file',
    detail: `Options: --team <teamId> (see: posthorn team list), --segment <segmentId> to put every contact into.
Without --team the contacts go over HTTP into the team of the API key: posthorn contacts import FILE.csv [--segment NAME|ID].
The first row names the columns: ${['email', ...textColumns, 'unsubscribed', 'properties'].join(', ')} (a JSON object).
Others are left out. UTF-8, separated by commas, semicolons or tabs. Empty cells change nothing; a contact the team has is updated.
Rows that cannot be taken are written to FILE.rejected.csv with the reason; the exit code is 0 all the same. Run it
again after an interruption.`,
    load: async () => (await import('./commands/contacts.ts')).importContactsCommand,
  },
  'sms assign-number': {
    usage: 'sms assign-number <number> <teamId>',
    summary: "give a provider's number to a team",
    detail: `The number in E.164 form, such as +61400000000, or a short code. Only this team can verify a sender with it; a
sender of another team that has it stops.`,
    load: async () => (await import('./commands/numbers.ts')).assignNumberCommand('sms'),
  },
  'sms release-number': {
    usage: 'sms release-number <number>',
    summary: 'take a number back from its team',
    detail: 'With SENDER_NUMBERS=claim, the first team that verifies it gets it. An active sender stays active.',
    load: async () => (await import('./commands/numbers.ts')).releaseNumberCommand('sms'),
  },
  'whatsapp assign-number': {
    usage: 'whatsapp assign-number <phoneNumberId> <teamId>',
    summary: "give a number of Meta's to a team",
    detail: 'Only this team can verify a sender with it. An active sender of another team with this number stops.',
    load: async () => (await import('./commands/numbers.ts')).assignNumberCommand('whatsapp'),
  },
  'whatsapp release-number': {
    usage: 'whatsapp release-number <phoneNumberId>',
    summary: 'take a number back from its team',
    detail: 'With SENDER_NUMBERS=claim, the first team that verifies it gets it. An active sender stays active.',
    load: async () => (await import('./commands/numbers.ts')).releaseNumberCommand('whatsapp'),
  },
  'sms suspend-sender': {
    usage: 'sms suspend-sender <senderId> [reason]',
    summary: 'stop a sender',
    detail: 'Nothing is sent from it and it cannot be verified until it is resumed. The team sees the reason.',
    load: async () => (await import('./commands/senders.ts')).suspendSenderCommand('sms'),
  },
  'sms resume-sender': {
    usage: 'sms resume-sender <senderId>',
    summary: 'end the suspension of a sender',
    detail: 'It is not_started afterwards: its team verifies it again before it can send.',
    load: async () => (await import('./commands/senders.ts')).resumeSenderCommand('sms'),
  },
  'whatsapp suspend-sender': {
    usage: 'whatsapp suspend-sender <senderId> [reason]',
    summary: 'stop a sender',
    detail: 'Nothing is sent from it and it cannot be verified until it is resumed. The team sees the reason.',
    load: async () => (await import('./commands/senders.ts')).suspendSenderCommand('whatsapp'),
  },
  'whatsapp resume-sender': {
    usage: 'whatsapp resume-sender <senderId>',
    summary: 'end the suspension of a sender',
    detail: 'It is not_started afterwards: its team verifies it again before it can send.',
    load: async () => (await import('./commands/senders.ts')).resumeSenderCommand('whatsapp'),
  },
  'jobs list': {
    usage: 'jobs list',
    summary: 'list jobs, the discarded ones first',
    detail: `Options: --discarded or --failing for those alone, --kind KIND.
Prints one line for each job: id, kind, attempts, next time or running or discarded, the error of its last attempt or -.
A job is discarded when it has failed too often. It is kept for 30 days.`,
    load: async () => (await import('./commands/jobs.ts')).listJobsCommand,
  },
  'jobs show': {
    usage: 'jobs show <jobId>',
    summary: 'print all about a job',
    detail: 'As JSON, with the team, the id of what it works on as its key, and its payload.',
    load: async () => (await import('./commands/jobs.ts')).showJobCommand,
  },
  'jobs retry': {
    usage: 'jobs retry <jobId>',
    summary: 'run a waiting or discarded job now',
    detail: `A discarded job gets all its attempts again, and what it works on goes on: an email is delayed until it is sent.
Where that cannot be, such as for an execution that has failed, the command says what to do instead.`,
    load: async () => (await import('./commands/jobs.ts')).retryJobCommand,
  },
  'jobs discard': {
    usage: 'jobs discard <jobId>',
    summary: 'end a waiting job',
    detail: `What it works on ends as after its last attempt: an email bounces, an execution fails. Jobs that come again for ever cannot
be discarded.`,
    load: async () => (await import('./commands/jobs.ts')).discardJobCommand,
  },
  backup: {
    usage: 'backup FILE',
    summary: 'write all data and APP_SECRET to a file',
    detail: `Options: --passphrase-file FILE, a file that holds the passphrase with which the backup is encrypted. It may also be in
POSTHORN_BACKUP_PASSPHRASE. Without one the backup is not encrypted.
Servers go on while it runs; what it shows is one moment. FILE must not exist, and only its owner can read it.`,
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    usage: 'restore FILE',
    summary: 'write a backup into an empty database',
    detail: `Options: --passphrase-file FILE as for posthorn backup; --send-waiting, for a server that was stopped before its backup
was made.
Stop the old server first. The database must be empty: a new DATA_DIR or DATABASE_URL, on which no server runs. The whole
file is checked before anything is written, and a restore that ends early leaves the database empty.
Jobs that were due may have been done since the backup. They are discarded, such as emails that waited, which bounce, and
posthorn jobs retry runs one after all. With --send-waiting they run. Ends as posthorn billing verify.
Without APP_SECRET, that of the backup is written to DATA_DIR/app.secret.`,
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  'dashboard build': {
    usage: 'dashboard build',
    summary: 'build the dashboard ahead',
    detail: `The server does it when the pages under /app are first needed, and keeps the result in dashboard/dist. Use this command
where the server may not write there, such as in a container image.`,
    takesNothing: true,
    load: async () => (await import('./commands/dashboard.ts')).buildDashboardCommand,
  },
  'secrets rotate': {
    usage: 'secrets rotate',
    summary: 'encrypt stored secrets with a new APP_SECRET',
    detail: `First start all processes with the new secret as APP_SECRET and the old one in APP_SECRET_PREVIOUS.
Works in small steps while they run; run it again after an interruption. Exit code 1 while anything is left under an
older secret.`,
    takesNothing: true,
    load: async () => (await import('./commands/secrets.ts')).rotateSecretsCommand,
  },
  seed: {
    usage: 'seed',
    summary: 'add demo data',
    detail: `Options: --team <teamId>, the team that gets the data (see: posthorn team list). Without it a team is made, and the
password of its owner and its API key are printed.
Adds a domain, contacts in a segment, a template, and an email of every status. Works with EMAIL_PROVIDER=capture only.`,
    load: async () => (await import('./commands/seed.ts')).seedCommand,
  },
}
