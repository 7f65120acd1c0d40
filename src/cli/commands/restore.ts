import { migrationsOf } from '../../backup/prepare.ts'
import { type Backup, checkBackup } from '../../backup/read.ts'
import { restoreBackup } from '../../backup/restore.ts'
import { keepSecrets } from '../../backup/secrets.ts'
import { features } from '../../features.ts'
import { ConfigError, type Environment } from '../../platform/environment/read.ts'
import type { AtRestore } from '../../platform/jobs/restored/hold-back.ts'
import { tellAllRestored } from '../../platform/jobs/restored/tell.ts'
import { databaseOf } from '../database-of.ts'
import { readPassphrase } from '../passphrase.ts'
import { count, plural, progressOf } from '../progress.ts'
import { readArguments } from '../read-arguments.ts'
import { commandConfig, withApp, withoutApp } from '../with-app.ts'
import { reportBilling } from './billing.ts'

const linesEvery = 100_000

/** Writes a backup into an empty database, and checks its accounts. */
export async function restoreCommand(args: string[]): Promise<void> {
  const { words, options } = readArguments(args, {
    required: ['FILE'],
    options: { 'passphrase-file': 'text', 'send-waiting': 'flag' },
  })
  const path = words[0]!
  const backup = await check(path, readPassphrase(options['passphrase-file']))
  const given = process.env.APP_SECRET || process.env.APP_SECRET_FILE
  const environment = given ? process.env : withSecrets(process.env, backup.header.secrets)
  if (given) refuseOtherSecret(environment, backup)
  const heldBack = await restore(backup, environment, !given, options['send-waiting'] ?? false)
  await finish(environment, heldBack)
}

async function check(path: string, passphrase: string | null): Promise<Backup> {
  process.stderr.write(`Checking ${path}.\n`)
  const progress = progressOf('rows', linesEvery)
  const backup = await checkBackup(path, passphrase, progress.show).finally(progress.end)
  await migrationsOf(backup.header)
  return backup
}

function refuseOtherSecret(environment: Environment, { header }: Backup): void {
  const { appSecret, appSecretPrevious } = commandConfig(environment)
  const [newest] = header.secrets
  if (newest === undefined || [appSecret, ...appSecretPrevious].includes(newest)) return
  throw new ConfigError(
    'APP_SECRET must be that of the backup, or APP_SECRET_PREVIOUS must name it. Leave both out to take those of the backup.',
  )
}

/** The settings of a start that takes its secrets from the backup. */
function withSecrets(environment: Environment, [newest, ...previous]: string[]): Environment {
  if (newest === undefined) return environment
  const former = previous.length > 0 && !environment.APP_SECRET_PREVIOUS && !environment.APP_SECRET_PREVIOUS_FILE
  return { ...environment, APP_SECRET: newest, ...(former && { APP_SECRET_PREVIOUS: previous.join(',') }) }
}

async function restore(
  backup: Backup,
  environment: Environment,
  keepsSecrets: boolean,
  sendsWaiting: boolean,
): Promise<number> {
  const { header, rows } = backup
  const progress = progressOf('rows', linesEvery)
  const notes: string[] = []
  return withoutApp(
    async (client, config, dataDir) => {
      process.stderr.write(`Restoring ${plural(rows, 'row')} into ${databaseOf(config)}.\n`)
      const { appSecret, appSecretPrevious } = config
      const { heldBack } = await restoreBackup(client, {
        backup,
        secrets: appSecret === null ? [] : [appSecret, ...appSecretPrevious],
        atRestore: sendsWaiting ? null : atRestore(),
        beforeCommit() {
          const kept = keepsSecrets ? keepSecrets(dataDir, header.secrets) : null
          notes.push(...(kept ? notesOf(kept) : []))
          return kept?.undo ?? (() => undefined)
        },
        progress: progress.show,
      }).finally(progress.end)
      process.stdout.write(`${plural(rows, 'row')} of ${header.tables.length} tables, as of ${header.madeAt}\n`)
      for (const note of notes) process.stdout.write(`${note}\n`)
      return heldBack
    },
    { environment, makesDatabase: true },
  )
}

function atRestore(): AtRestore {
  const kinds = (wanted: 'discard' | 'note') =>
    features.flatMap(({ jobs = [] }) => jobs.filter((job) => job.atRestore === wanted).map(({ kind }) => kind))
  return { discard: kinds('discard'), note: kinds('note') }
}

function notesOf({ files, movedTo }: ReturnType<typeof keepSecrets>): string[] {
  return [
    ...files.map(
      ({ setting, path }) => `The ${setting} of the backup is in ${path}; start with ${setting}_FILE=${path}`,
    ),
    ...(movedTo === null ? [] : [`The secret that was there is in ${movedTo}.`]),
  ]
}

/** Brings the database to this version, tells what is held back, and checks the accounts. */
async function finish(environment: Environment, heldBack: number): Promise<void> {
  await withApp(
    async (app) => {
      if (heldBack > 0) {
        const progress = progressOf('jobs', 1000)
        await tellAllRestored(app, (told) => progress.show(told / heldBack, told)).finally(progress.end)
        process.stdout.write(
          `Discarded jobs that were due, since they may have been done after the backup: ${count(heldBack)}. See: posthorn jobs list --discarded\n`,
        )
      }
      await reportBilling(app, null)
    },
    { environment, makesDatabase: true },
  )
}
