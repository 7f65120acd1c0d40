import { sealedColumns } from '../../app.ts'
import { countAllOlder, rotateSealed } from '../../platform/sealed/rotate.ts'
import { count, progressOf } from '../progress.ts'
import { withApp } from '../with-app.ts'

const linesEvery = 1000

/** Encrypts all values with APP_SECRET that are encrypted with a secret of APP_SECRET_PREVIOUS. */
export async function rotateSecretsCommand(): Promise<void> {
  await withApp(async (app) => {
    const progress = progressOf('values', linesEvery)
    const { done, unreadable } = await rotateSealed(app, sealedColumns, ({ wanted, done }) =>
      progress.show(wanted === 0 ? 1 : Math.min(1, done / wanted), done),
    ).finally(progress.end)
    process.stdout.write(`${count(done)} values were encrypted with the present APP_SECRET.\n`)
    const left = await countAllOlder(app, sealedColumns)
    if (left > 0) throw new Error(explain(left, unreadable))
    process.stdout.write(
      'No value is encrypted with an older secret. Remove it from APP_SECRET_PREVIOUS once the links, sessions and privacy exports of its time may end (docs/decisions/secrets.md).\n',
    )
  })
}

function explain(left: number, unreadable: number): string {
  if (unreadable > 0)
    return `${count(unreadable)} values cannot be read with any of these secrets; add the one they were encrypted with to APP_SECRET_PREVIOUS and run the command again.`
  return `${count(left)} values are under an older secret: a process still encrypts with it. Start all processes with the new APP_SECRET and run the command again.`
}
