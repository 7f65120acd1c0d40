import type { Environment } from './read.ts'

/** A variable that is set and is no setting. `meant` is null if only its prefix says that it is ours. */
type Misspelt = { given: string; meant: string | null }

/** All variables that begin so are ours. */
const prefix = 'POSTHORN_'
/** Shorter names are near too many others: PORT and SORT, HOST and HOSTS, ROLES and ROLE. */
const nameMin = 6
/** From this length on a name may differ by two letters, before by one. */
const longName = 9
/** A part of a name may differ by two letters from this length on, before by one: SMTP_HOST is not SMTP_PORT. */
const longPart = 6

/**
 * Finds variables whose names are within one or two letters of a setting's, or that begin with `POSTHORN_`. `known` are
 * the settings. A name near a setting that is set itself belongs to another program.
 */
export function findMisspelt(environment: Environment, known: readonly string[]): Misspelt[] {
  const names = [...known, ...known.map((name) => `${name}_FILE`)]
  const isKnown = new Set(names)
  const isSet = (name: string) => Boolean(environment[name] || environment[`${name}_FILE`])
  return Object.keys(environment).flatMap((given): Misspelt[] => {
    if (!environment[given] || isKnown.has(given)) return []
    if (given.startsWith(prefix)) {
      if (isServiceLink(given, environment[given])) return []
      const bare = given.slice(prefix.length)
      return [{ given, meant: nearest(given, names) ?? (isKnown.has(bare) ? bare : null) }]
    }
    const meant = nearest(given, names)
    return meant === null || isSet(meant.replace(/_FILE$/, '')) ? [] : [{ given, meant }]
  })
}

/** Kubernetes describes a service named posthorn with such variables. */
function isServiceLink(name: string, value: string): boolean {
  return /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name) || /^(tcp|udp|sctp):\/\//.test(value)
}

function nearest(given: string, names: readonly string[]): string | null {
  const near = names.flatMap((name) => {
    const letters = differingLetters(given, name)
    return letters === null ? [] : [{ name, letters }]
  })
  return near.sort((a, b) => a.letters - b.letters)[0]?.name ?? null
}

/**
 * Returns the number of letters by which a misspelt name differs, without regard to case; null if it is another name.
 */
function differingLetters(given: string, name: string): number | null {
  if (name.length < nameMin || Math.abs(given.length - name.length) > 2) return null
  const most = name.length < longName ? 1 : 2
  const [parts, wanted] = [given.toUpperCase().split('_'), name.split('_')]
  if (parts.length !== wanted.length) return distance(parts.join(''), wanted.join('')) === 0 ? 1 : null
  const letters = wanted.map((part, index) => distance(parts[index]!, part))
  const total = letters.reduce((sum, each) => sum + each, 0)
  const fits = letters.every((each, index) => each <= (wanted[index]!.length < longPart ? 1 : 2))
  return fits && total <= most ? total : null
}

/** Counts the letters that were left out, added, changed, or exchanged with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    rows[row] = [row]
    for (let column = 1; column <= b.length; column++) {
      const [above, left, diagonal] = [rows[row - 1]![column]!, rows[row]![column - 1]!, rows[row - 1]![column - 1]!]
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const bySwap = swapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY
      rows[row]![column] = Math.min(above + 1, left + 1, diagonal + (same ? 0 : 1), bySwap)
    }
  }
  return rows[a.length]![b.length]!
}
