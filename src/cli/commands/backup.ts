import { statSync } from 'node:fs'
import { refuseExisting } from '../../backup/file.ts'
import { secretsInUse } from '../../backup/secrets.ts'
import { writeBackup } from '../../backup/write.ts'
import { refuseOtherSecrets } from '../../platform/stored-keys/open.ts'
import { readPassphrase } from '../passphrase.ts'
import { count, plural, progressOf } from '../progress.ts'
import { readArguments } from '../read-arguments.ts'
import { withoutApp } from '../with-app.ts'

const linesEvery = 100_000

/** Writes all data and APP_SECRET to a file, while the server runs. */
export async function backupCommand(args: string[]): Promise<void> {
  const { words, options } = readArguments(args, { required: ['FILE'], options: { 'passphrase-file': 'text' } })
  const path = words[0]!
  refuseExisting(path)
  const passphrase = readPassphrase(options['passphrase-file'])
  await withoutApp(async (client, config, dataDir) => {
    const secrets = secretsInUse(config, dataDir)
    await refuseOtherSecrets(client, secrets)
    if (passphrase === null)
      process.stderr.write(
        `${path} will not be encrypted: whoever reads it has all data, and APP_SECRET. Give a passphrase with --passphrase-file FILE or in POSTHORN_BACKUP_PASSPHRASE to encrypt it.\n`,
      )
    const progress = progressOf('rows', linesEvery)
    const { tables, rows } = await writeBackup(client, { path, passphrase, secrets }, progress.show).finally(
      progress.end,
    )
    const kind = passphrase === null ? 'not encrypted' : 'encrypted'
    process.stdout.write(
      `${path}: ${plural(rows, 'row')} of ${tables} tables, ${count(statSync(path).size)} bytes, ${kind}\n`,
    )
  })
}
