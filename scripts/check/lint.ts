import { readFileSync } from 'node:fs'
import { type Outcome, runProgram, writeCached } from './part.ts'
import { hashFiles, readPassed, unchanged, unlessPassed, writePassed } from './passed.ts'

const biome = '@biomejs/biome/bin/biome'
/**
 * The rule that reads the types of other files, and for that the declarations of all packages: half of the linter's
 * time.
 */
const acrossFiles = { group: 'nursery', rule: 'noFloatingPromises' }
/** More files than this are not named on the command line; all are checked. */
const namedMax = 500

/**
 * Checks the format and the rules that look at one file. A file that passed is checked again when it or the rules
 * change.
 */
export async function lintFiles(all: boolean): Promise<Outcome> {
  const hashes = hashFiles(() => true)
  const passed = new Set(all ? [] : readPassed('lint'))
  const changed = [...hashes].filter(([, hash]) => !passed.has(hash)).map(([path]) => path)
  if (changed.length === 0) return unchanged
  const named = ['--no-errors-on-unmatched', '--files-ignore-unknown=true', ...changed]
  const paths = all || changed.length > namedMax ? ['.'] : named
  const config = `--config-path=${writeConfig()}`
  const outcome = await runProgram(biome, ['check', config, '--error-on-warnings', ...paths])
  if (outcome.passed) writePassed('lint', [...hashes.values()])
  return { ...outcome, note: `${changed.length} files` }
}

/**
 * Looks for promises that nothing waits for. A change of one program may make a fault in another, so all are checked.
 */
export function lintPromises(all: boolean): Promise<Outcome> {
  const rule = `${acrossFiles.group}/${acrossFiles.rule}`
  const run = () => runProgram(biome, ['lint', `--only=${rule}`, '--error-on-warnings', '.'])
  return unlessPassed('promises', all, run)
}

/**
 * Writes the linter's configuration without the rule across files, which cannot be skipped otherwise. Returns its path.
 */
function writeConfig(): string {
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  delete config.$schema
  delete config.linter.rules[acrossFiles.group][acrossFiles.rule]
  return writeCached('biome.json', JSON.stringify(config))
}
