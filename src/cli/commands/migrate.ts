import { withApp } from '../with-app.ts'

export async function migrateCommand(): Promise<void> {
  await withApp(async (_app, migrated) => {
    const done = migrated.length === 0 ? 'The database is up to date.' : `Ran ${migrated.join(', ')}.`
    process.stdout.write(`${done}\n`)
  })
}
