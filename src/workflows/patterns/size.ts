/**
 * Estimates how many instructions an RE2 pattern compiles to, without compiling it: `(ab){900}` is 1,800 and takes
 * milliseconds, and a line of such groups takes a sixth of a second. The estimate may be too high, and is never much
 * too low.
 */
export function sizeOf(pattern: string): number {
  /** For each open group: the size of what comes before `atom`, the part that a repetition would repeat. */
  const open = [{ before: 0, atom: 0 }]
  for (const [token] of pattern.matchAll(tokens)) {
    const group = open.at(-1)!
    if (token === '(') {
      open.push({ before: 0, atom: 0 })
    } else if (token === ')' && open.length > 1) {
      open.pop()
      add(open.at(-1)!, group.before + group.atom + 2)
    } else if (repetition.test(token)) {
      group.atom = (group.atom + 1) * timesOf(token)
    } else if (!nothing.test(token)) {
      add(group, token.startsWith('\\Q') ? token.length : token === '|' ? 2 : 1)
    }
  }
  return open.reduce((sum, { before, atom }) => sum + before + atom, 0)
}

/**
 * Quotations, escapes, flags, classes (a `]` that comes first is one of its members), repetitions, and single
 * characters.
 */
const tokens = /\\Q.*?(?:\\E|$)|\\x\{[\da-fA-F]+\}|\\.|\(\?[a-zA-Z-]*\)|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d+,?\d*\}|./gsu
/** Flags and empty quotations, which have no size. A repetition after them repeats the part before them. */
const nothing = /^(\(\?.*\)|\\Q(\\E)?)$/s
const repetition = /^\{\d/

function timesOf(token: string): number {
  const [least = '', most] = token.slice(1, -1).split(',')
  if (most === undefined) return Math.max(1, Number(least))
  return Math.max(1, Number(least) + 1, Number(most))
}

function add(group: { before: number; atom: number }, atom: number): void {
  group.before += group.atom
  group.atom = atom
}
