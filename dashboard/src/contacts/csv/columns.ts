import { plainName, readFlag } from '../../../../src/contacts/csv/columns.ts'
import { eachText } from '../../../../src/contacts/fields.ts'
import { namesOf, readObject } from '../../api/objects.ts'

/** The goals of columns, by the names of the API. `property` is a property with the column's name. */
export const goals = {
  ...{ '': 'Leave out', email: 'Email' },
  ...eachText((_name, { title }) => title),
  ...{ unsubscribed: 'Unsubscribed', properties: 'Properties, as JSON', property: 'Property' },
}
export type Goal = keyof typeof goals
export const goalNames = namesOf(goals)

/** The goal of each column, by position, and the names of the columns. */
export type Mapping = { header: string[]; goals: Goal[] }

/** Columns of an export that the server sets by itself. */
const ownOfServer = ['id', 'createdat', 'updatedat']
/** Headings of other programs. */
const otherNames: Record<string, Goal> = {
  mail: 'email',
  emailaddress: 'email',
  phone: 'phoneNumber',
  mobile: 'phoneNumber',
  surname: 'lastName',
  givenname: 'firstName',
  familyname: 'lastName',
}
const propertyLengthMax = 100

/**
 * Guesses the goal of each column. Names are compared without case, blanks, `_` or `-`, and each goal is taken once.
 * Other columns become properties.
 */
export function guessGoals(header: string[]): Goal[] {
  const taken = new Set<Goal>()
  return header.map((name) => {
    const goal = guessGoal(name)
    if (goal === '' || goal === 'property') return goal
    if (taken.has(goal)) return ''
    taken.add(goal)
    return goal
  })
}

function guessGoal(name: string): Goal {
  const plain = plainName(name)
  if (ownOfServer.includes(plain) || !mayBeProperty(name)) return ''
  const known = goalNames.find((goal) => goal !== '' && goal.toLowerCase() === plain)
  return known === 'property' ? 'property' : (known ?? otherNames[plain] ?? 'property')
}

export function mayBeProperty(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.length <= propertyLengthMax
}

/** Says what is wrong with a mapping, or null. */
export function faultOf({ goals: chosen }: Mapping): string | null {
  const single = chosen.filter((goal) => goal !== '' && goal !== 'property')
  const twice = single.find((goal, index) => single.indexOf(goal) !== index)
  if (twice) return `Two columns are “${goals[twice]}”. Choose one of them.`
  return chosen.includes('email') ? null : 'Choose the column that holds the email addresses.'
}

/** Turns a record into a row of an import, or says why it cannot be read. An empty cell changes nothing. */
export function readCells({ header, goals: chosen }: Mapping, cells: string[]): Record<string, unknown> | string {
  if (cells.length !== header.length) return `has ${cells.length} cells where the header has ${header.length}`
  const row: Record<string, unknown> = {}
  const properties: [string, unknown][] = []
  for (const [index, cell] of cells.entries()) {
    const [goal, value] = [chosen[index]!, cell.trim()]
    if (goal === '' || value === '') continue
    if (value.includes('\0')) return `${header[index]}: must not hold a NUL character`
    if (goal === 'property') properties.push([header[index]!, value])
    else if (goal === 'unsubscribed') row.unsubscribed = readFlag(value)
    else if (goal === 'properties') {
      const object = readObject(value)
      if (!object) return 'properties: must be a JSON object'
      properties.unshift(...Object.entries(object))
    } else row[goal] = value
  }
  return properties.length === 0 ? row : { ...row, properties: Object.fromEntries(properties) }
}
