import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { App } from '../src/context.ts'
import { generateDkimKeys } from '../src/domains/dkim/dkim-keys.ts'
import { createKeyring } from '../src/platform/keys/keyring.ts'
import type { Connections } from '../src/platform/sql/db.ts'
import { systemClock } from '../src/platform/time/clock.ts'

/** Opens our app in this process, on a migrated database. It neither listens nor takes jobs. */
export async function openApp(connections: Connections): Promise<App> {
  const config = readConfig({ LOG_LEVEL: 'silent', ROLES: 'api' })
  const keyring = createKeyring('a secret of the benchmarks, thirty-two bytes and more')
  const log = pino({ level: 'silent' })
  const { app } = await createApp({ config, clock: systemClock(), log, connections, keyring, generateDkimKeys })
  return app
}
