import { statSync } from 'node:fs'
import { type FileResult, type FileTotals, importCsvFile } from '../../contacts/csv/import-file.ts'
import { CsvError } from '../../contacts/csv/parse.ts'
import type { Db } from '../../context.ts'
import { DomainError } from '../../platform/errors.ts'
import { findTeam } from '../../teams/queries.ts'
import { count, plural, progressOf } from '../progress.ts'
import { readArguments, refuseOtherId, refuseOtherTeamId } from '../read-arguments.ts'
import { UsageError } from '../usage-error.ts'
import { withApp } from '../with-app.ts'

/** Imports a CSV file of any size into a team. */
export async function importContactsCommand(args: string[]): Promise<void> {
  const { path, teamId, segmentId } = readWanted(args)
  const sizeBytes = sizeOf(path)
  await withApp(async (app) => {
    await refuseUnknownTeam(app.db, teamId)
    const progress = progressOf('rows', linesEvery)
    const show = ({ rows }: FileTotals, bytesRead: number) =>
      progress.show(sizeBytes === 0 ? 1 : Math.min(1, bytesRead / sizeBytes), rows)
    try {
      const result = await importCsvFile(app, { teamId, segmentId }, path, show)
      progress.end()
      process.stdout.write(summary(result))
    } catch (error) {
      progress.end()
      throw explain(error, path)
    }
  })
}

function readWanted(args: string[]) {
  const { words, options } = readArguments(args, { required: ['FILE.csv'], options: { team: 'text', segment: 'text' } })
  const { team, segment } = options
  if (team === undefined) throw new UsageError('--team must say whose contacts they are; see: posthorn team list')
  refuseOtherTeamId(team)
  if (segment !== undefined) refuseOtherId(segment, 'segment', 'GET /v1/segments')
  return { path: words[0]!, teamId: team, segmentId: segment }
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new Error(`there is no file ${path}.`)
  if (stats.isDirectory()) throw new Error(`${path} is a folder; name a CSV file.`)
  return stats.size
}

async function refuseUnknownTeam(db: Db, teamId: string): Promise<void> {
  if (!(await findTeam(db, teamId))) throw new Error(`there is no team ${teamId}; see: posthorn team list`)
}

const linesEvery = 100_000

function summary({ rows, created, updated, unchanged, rejected, ignoredColumns, rejectedPath }: FileResult): string {
  const doubled = rows - created - updated - unchanged - rejected
  return [
    `${plural(rows, 'row')}: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(rejected)} rejected.`,
    ...(doubled > 0
      ? [`${count(doubled)} were followed closely by another row with the same address, which counted.`]
      : []),
    ...(ignoredColumns.length > 0
      ? [`Columns that contacts do not have were left out: ${ignoredColumns.join(', ')}.`]
      : []),
    ...(rejected > 0 ? [`The rejected rows, with the reason of each, are in ${rejectedPath}.`] : []),
    '',
  ].join('\n')
}

/** Explains a failure. The pages imported before it stay. */
function explain(error: unknown, path: string): unknown {
  if (error instanceof CsvError) {
    return new Error(`${path}, ${error.message}. Rows before it are in; correct the file and run the command again.`)
  }
  return error instanceof DomainError ? new Error(error.message) : error
}
