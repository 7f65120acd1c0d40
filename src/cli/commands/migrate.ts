import { readMigrations } from '../../platform/migrate/files.ts'
import { findPending } from '../../platform/migrate/migrate.ts'
import { readArguments } from '../read-arguments.ts'
import { commandConfig, hasDatabase, withApp, withoutApp } from '../with-app.ts'

/** The exit code of a check that finds migrations to run. */
const pendingCode = 3

export async function migrateCommand(args: string[]): Promise<void> {
  const { check = false } = readArguments(args, { options: { check: 'flag' } }).options
  if (check) return checkCommand()
  await withApp(
    async (_app, migrated) => {
      const done = migrated.length === 0 ? 'The database is up to date.' : `Ran ${migrated.join(', ')}.`
      process.stdout.write(`${done}\n`)
    },
    { makesDatabase: true },
  )
}

/** Prints what is pending, and changes nothing. */
async function checkCommand(): Promise<void> {
  const pending = await findAllPending()
  if (pending.length === 0) return void process.stdout.write('The database is up to date.\n')
  process.stdout.write(`Pending: ${pending.join(', ')}.\n`)
  process.exitCode = pendingCode
}

async function findAllPending(): Promise<string[]> {
  if (hasDatabase(commandConfig(process.env))) return withoutApp((client) => findPending(client))
  return (await readMigrations()).map(({ name }) => name)
}
