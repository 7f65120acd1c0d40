import { resolve } from 'node:path'
import type { Config } from '../context.ts'

/** Names the database of a command for a person, without user and password: it may not be the one that was meant. */
export function databaseOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null) return `the embedded database in ${resolve(dataDir)}`
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  return `the database ${decodeURIComponent(url.pathname.slice(1))} on ${host || 'localhost'}${url.port && `:${url.port}`}`
}
