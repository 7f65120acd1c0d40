import { operatorOf, runAs } from '../platform/audit/actor.ts'
import { ConfigError } from '../platform/environment/read.ts'
import { help, helpOf } from './help.ts'
import { UsageError } from './usage-error.ts'

/** Each command is loaded when it is run, so that `--help` is instant. */
const commands: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  serve: async () => (await import('../main.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  'team list': async () => (await import('./team.ts')).listTeams,
  'team set-plan': async () => (await import('./team.ts')).setPlanCommand,
  'team set-limits': async () => (await import('./team.ts')).setLimits,
  'user create': async () => (await import('./user.ts')).createUserCommand,
  'user list': async () => (await import('./user-list.ts')).listUsersCommand,
  'user reset-link': async () => (await import('./reset-link.ts')).resetLinkCommand,
  'billing verify': async () => (await import('./billing.ts')).verifyBillingCommand,
  'contacts import': async () => (await import('./contacts.ts')).importContactsCommand,
  'sms assign-number': async () => (await import('./numbers.ts')).assignNumberCommand('sms'),
  'sms release-number': async () => (await import('./numbers.ts')).releaseNumberCommand('sms'),
  'whatsapp assign-number': async () => (await import('./numbers.ts')).assignNumberCommand('whatsapp'),
  'whatsapp release-number': async () => (await import('./numbers.ts')).releaseNumberCommand('whatsapp'),
  'sms suspend-sender': async () => (await import('./senders.ts')).suspendSenderCommand('sms'),
  'sms resume-sender': async () => (await import('./senders.ts')).resumeSenderCommand('sms'),
  'whatsapp suspend-sender': async () => (await import('./senders.ts')).suspendSenderCommand('whatsapp'),
  'whatsapp resume-sender': async () => (await import('./senders.ts')).resumeSenderCommand('whatsapp'),
  'jobs list': async () => (await import('./jobs.ts')).listJobsCommand,
  'jobs show': async () => (await import('./jobs.ts')).showJobCommand,
  'jobs retry': async () => (await import('./jobs.ts')).retryJobCommand,
  'jobs discard': async () => (await import('./jobs.ts')).discardJobCommand,
  'dashboard build': async () => (await import('./dashboard.ts')).buildDashboardCommand,
  'secrets rotate': async () => (await import('./secrets.ts')).rotateSecretsCommand,
  seed: async () => (await import('./seed.ts')).seedCommand,
}

const takesArguments = new Set([
  ...['team set-plan', 'team set-limits', 'billing verify'],
  ...['sms assign-number', 'sms release-number', 'whatsapp assign-number', 'whatsapp release-number'],
  ...['jobs show', 'jobs retry', 'jobs discard'],
  ...['sms suspend-sender', 'sms resume-sender', 'whatsapp suspend-sender', 'whatsapp resume-sender'],
])
/** Commands that parse their own options. */
const takesOptions = new Set(['contacts import', 'user create', 'user reset-link', 'jobs list', 'seed'])

/** Runs a command. The exit code is 0 on success, 1 on failure, 2 on wrong usage. */
export async function run(args: string[]): Promise<void> {
  try {
    await dispatch(args)
  } catch (error) {
    if (error instanceof UsageError) fail(2, `${error.message}\nSee: posthorn --help`)
    else if (error instanceof ConfigError) fail(1, error.message)
    else fail(1, `posthorn: ${(error as Error).message}`, process.env.LOG_LEVEL === 'debug' ? error : undefined)
  }
}

async function dispatch(args: string[]): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const name = [words.slice(0, 2).join(' '), words[0] ?? 'serve'].find((candidate) => candidate in commands)
  if (args.includes('--version')) return print((await import('../version.ts')).version)
  const asked = words[0] === 'help' || args.includes('--help') || args.includes('-h')
  if (asked) return print(name && words.length > 0 ? helpOf(name) : help)
  if (name && takesOptions.has(name)) return runCommand(name, args.slice(name.split(' ').length))
  const unknown = args.find((arg) => arg.startsWith('-'))
  if (unknown) throw new UsageError(`posthorn has no option ${unknown}.`)
  if (!name) throw new UsageError(`posthorn has no command "${words.slice(0, 2).join(' ')}".`)
  const rest = words.slice(words.length === 0 ? 0 : name.split(' ').length)
  if (rest.length > 0 && !takesArguments.has(name))
    throw new UsageError(`${name} takes no arguments; there is "${rest[0]}".`)
  await runCommand(name, rest)
}

/** Runs a command on behalf of the operator. `serve` answers others, and is the system. */
async function runCommand(name: string, args: string[]): Promise<void> {
  const command = await commands[name]!()
  await (name === 'serve' ? command(args) : runAs(operatorOf(name), () => command(args)))
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(code: number, message: string, detail?: unknown): void {
  process.stderr.write(`${message}\n`)
  if (detail) console.error(detail)
  process.exitCode = code
}
