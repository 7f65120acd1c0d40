import { availableParallelism, cpus, loadavg, platform } from 'node:os'
import { formatTable } from './print-table.ts'
import type { Options, Result, Workload } from './workload.ts'

/** `npm run bench [-- names…] [-- --quick]`: runs the named workloads, or all, in order; see README.md. */
const workloads: Record<string, () => Promise<Workload>> = {
  'send-email': async () => (await import('./send-email.ts')).sendEmail,
  'smtp-submission': async () => (await import('./smtp-submission.ts')).smtpSubmission,
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
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = names.find((name) => !(name in workloads))
if (unknown) {
  process.stderr.write(`There is no workload "${unknown}"; there are ${Object.keys(workloads).join(', ')}.\n`)
  process.exit(2)
}

const quick = process.argv.includes('--quick')
const say = (progress: string) => void process.stderr.write(`${progress}\n`)
const options: Options = { quick, rounds: quick ? 1 : 3, seconds: quick ? 1 : 5, say }

const results: Result[] = []
const busyBefore = loadavg()[0]!
for (const name of names.length > 0 ? names : Object.keys(workloads)) {
  say(`# ${name}`)
  const workload = await workloads[name]!()
  results.push(...(await workload.run(options)))
}
const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${platform()}, Node ${process.versions.node}`
const rounds = quick
  ? 'one short round: a check that it runs, not a measurement'
  : `medians of ${options.rounds} rounds`
process.stdout.write(`${formatTable(results)}\n\n${machine}; ${rounds}; load before ${busyBefore.toFixed(2)}\n`)
