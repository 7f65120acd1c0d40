import { readFileSync } from 'node:fs'
import { environmentReader } from '../platform/environment/read.ts'

const variable = 'POSTHORN_BACKUP_PASSPHRASE'

const must = { must: 'a passphrase', parse: (text: string) => text, secret: true }

/** Reads the passphrase of a backup from the file or else the environment; null if neither is given. */
export function readPassphrase(file: string | undefined): string | null {
  if (file === undefined) return environmentReader(process.env)(variable, null, must)
  const passphrase = readText(file).replace(/\r?\n$/, '')
  if (passphrase === '')
    throw new Error(`${file} is empty; --passphrase-file must name a file that holds the passphrase.`)
  return passphrase
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`--passphrase-file must name a file that this user may read; ${file} cannot be read (${code}).`)
  }
}
