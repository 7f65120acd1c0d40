import { isPhoneNumber, phoneNumberForm } from '../platform/text/phone-number.ts'

/** A text that a contact may have. Null and the empty text clear it. */
type TextField = {
  column: string
  /** The title of the field in the workflow editor's form. */
  title: string
  description: string
  example: string
  /** The bound of the request's schema. `fault` may allow less. */
  lengthMax: number
  /**
   * Says what is wrong with a text that is not empty, as the end of a sentence that begins with the field's name, or
   * null.
   */
  fault(text: string): string | null
  /** True if broadcasts can use it as a variable, such as `{{firstName}}`. */
  isVariable: boolean
  /** True for the parts of a person's name, which are shown together. */
  isOfName: boolean
  /** The type of its field in a form. */
  input: 'text' | 'tel'
}

/** Our own limit: longer than any name, short enough for a line of a list. */
const nameLengthMax = 200
const name = {
  description: 'Empty clears.',
  lengthMax: nameLengthMax,
  fault: nameFault,
  isVariable: true,
  isOfName: true,
  input: 'text',
} as const

/**
 * Defines the text fields of a contact. Schemas, rules, statements, CSV columns, broadcast variables, the form of the
 * node `update_contact` and the pages of the dashboard follow from this table. A new field also needs its column in a
 * migration.
 */
export const textFields = {
  firstName: { ...name, column: 'first_name', title: 'First name', example: 'Ada' },
  lastName: { ...name, column: 'last_name', title: 'Last name', example: 'Lovelace' },
  phoneNumber: {
    column: 'phone_number',
    title: 'Phone number',
    description: 'E.164. Empty clears.',
    example: '+447700900123',
    lengthMax: 100,
    fault: (text) => (isPhoneNumber(text) ? null : `${phoneNumberForm}, or empty`),
    isVariable: false,
    isOfName: false,
    input: 'tel',
  },
} as const satisfies Record<string, TextField>

type TextFields = typeof textFields
export type TextName = keyof TextFields
export type TextColumn = TextFields[TextName]['column']
export type VariableName = { [N in TextName]: TextFields[N]['isVariable'] extends true ? N : never }[TextName]

export const textNames = Object.keys(textFields) as TextName[]
export const textColumns = textNames.map((name) => textFields[name].column)
export const variableNames = textNames.filter((name) => textFields[name].isVariable) as VariableName[]

/** The fields that make up a person's name. */
export const nameParts = textNames.filter((name) => textFields[name].isOfName)

export function eachText<T>(make: (name: TextName, field: TextField) => T): Record<TextName, T> {
  return Object.fromEntries(textNames.map((name) => [name, make(name, textFields[name])])) as Record<TextName, T>
}

function nameFault(text: string): string | null {
  if (text.length > nameLengthMax && [...text].length > nameLengthMax) {
    return `must be at most ${nameLengthMax} characters`
  }
  // Names go into subjects, and from there into header lines.
  return /\p{Cc}/u.test(text) ? 'must not hold line breaks or other control characters' : null
}
