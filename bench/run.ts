import { availableParallelism, cpus, loadavg, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { acceptRatios, loadMax, movedRows } from './baseline.ts'
import { formatResults } from './print-table.ts'
import { measureStatements, workloadsWithStatements } from './statements.ts'
import type { Options, Result, Workload } from './workload.ts'

/** Runs the named workloads, or all but `soak`, in order; see README.md. */
const workloads: Record<string, () => Promise<Workload>> = {
  'send-email': async () => (await import('./send-email.ts')).sendEmail,
  'email-latency': async () => (await import('./email-latency.ts')).emailLatency,
  'smtp-submission': async () => (await import('./smtp-submission.ts')).smtpSubmission,
  'mail-servers': async () => (await import('./mail-servers.ts')).mailServers,
  doors: async () => (await import('./doors.ts')).doors,
  broadcast: async () => (await import('./broadcast.ts')).broadcast,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  jobs: async () => (await import('./jobs.ts')).jobs,
  'list-emails': async () => (await import('./list-emails.ts')).listEmails,
  'request-log': async () => (await import('./request-log.ts')).requestLog,
  'import-contacts': async () => (await import('./import-contacts.ts')).importContacts,
  'list-contacts': async () => (await import('./list-contacts.ts')).listContacts,
  metrics: async () => (await import('./metrics.ts')).metrics,
  'metrics-cost': async () => (await import('./metrics-cost.ts')).metricsCost,
  sms: async () => (await import('./sms.ts')).sms,
  'whatsapp-events': async () => (await import('./whatsapp-events.ts')).whatsappEvents,
  workflows: async () => (await import('./workflows.ts')).workflows,
  'parked-delays': async () => (await import('./parked-delays.ts')).parkedDelays,
  fairness: async () => (await import('./fairness.ts')).fairness,
  'code-nodes': async () => (await import('./code-nodes.ts')).codeNodes,
  retention: async () => (await import('./retention.ts')).retention,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  start: async () => (await import('./start.ts')).start,
  soak: async () => (await import('./soak.ts')).soak,
}
const usage = 'Usage: npm run bench -- [WORKLOAD...] [--quick] [--accept] [--statements]'
/** Workloads of an hour, which run only when they are named. */
const longest = ['soak']

const { values: flags, positionals: given } = readArguments()
const { quick, accept: accepts, statements: showsStatements } = flags
const known = showsStatements ? workloadsWithStatements : Object.keys(workloads)
const unknown = given.find((name) => !known.includes(name))
if (unknown) refuse(`There is no workload "${unknown}"; there are ${known.join(', ')}.`)
if (flags.help) {
  process.stdout.write(`${usage}\nWorkloads: ${known.join(', ')}.\n`)
  process.exit(0)
}
const names = given.length > 0 ? given : known.filter((name) => !longest.includes(name))

const say = (progress: string) => void process.stderr.write(`${progress}\n`)
const options: Options = { quick, rounds: quick ? 1 : 3, seconds: quick ? 1 : 5, say }
const busyBefore = loadavg()[0]!
if (accepts && (quick || showsStatements)) refuse('Only the ratios of a whole run can be accepted.')
if (accepts && busyBefore > loadMax)
  refuse(
    `The machine is busy (load ${busyBefore.toFixed(2)}), so its ratios are not accepted. Wait until it is below ${loadMax}.`,
  )

const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${platform()}, Node ${process.versions.node}`
const rounds = quick
  ? 'one short round: a check that it runs, not a measurement'
  : showsStatements
    ? 'one round'
    : `medians of ${options.rounds} rounds`
const output = showsStatements ? await measureStatements(options, names) : await measureWorkloads()
process.stdout.write(`${output}\n\n${machine}; ${rounds}; load before ${busyBefore.toFixed(2)}\n`)

async function measureWorkloads(): Promise<string> {
  const results: Result[] = []
  const moved: string[] = []
  for (const name of names) {
    say(`# ${name}`)
    const workload = await workloads[name]!()
    const measured = await workload.run(options)
    say(formatResults(measured))
    results.push(...measured)
    // After each workload, so that a run that is stopped keeps what it has measured.
    if (!quick) moved.push(...movedRows(measured))
    if (accepts) acceptRatios(measured)
  }
  const title = 'Moved by more than a tenth since the accepted run:'
  return [formatResults(results), ...(moved.length > 0 ? [[title, ...moved].join('\n')] : [])].join('\n\n')
}

function readArguments() {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: { quick: flag, accept: flag, statements: flag, help: flag },
    })
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}. ${usage}`)
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}
