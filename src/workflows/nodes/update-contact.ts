import Type, { type Static, type TOptional, type TUnsafe } from 'typebox'
import { changeContact } from '../../contacts/change.ts'
import { eachText, type TextColumn, textFields } from '../../contacts/fields.ts'
import { faultsOf, type GivenFields } from '../../contacts/rules.ts'
import { unavailable } from '../../platform/errors.ts'
import { Nullable, Strict, Uuid } from '../../platform/http/schema/schema.ts'
import { isUuid } from '../../platform/ids.ts'
import { ContactField, fillWithContact, findNamedContact, nameOfContact } from '../audience/contact.ts'
import { becameInvalid, type ValueFault } from '../placeholders/became.ts'
import { fillValues, hasPlaceholder, isPlaceholder } from '../placeholders/fill.ts'
import { refuseUnstorable } from '../placeholders/storable.ts'
import { action, type Draft } from './node.ts'

const texts = Object.fromEntries(
  Object.values(textFields).map(({ column, title, description, example }) => [
    column,
    Type.Optional(Nullable(Type.String({ title, description, examples: [example] }))),
  ]),
) as Record<TextColumn, TOptional<TUnsafe<string | null>>>

const Config = Strict({
  contact: ContactField,
  ...texts,
  unsubscribed: Type.Optional(
    Type.Unsafe<boolean | string>({
      type: ['boolean', 'string'],
      title: 'Unsubscribed',
      description:
        '`false` brings back a contact that had unsubscribed. Also one placeholder, with true or false behind it.',
    }),
  ),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 1000,
      title: 'Properties',
      description:
        'They join those that the contact has, 64 KiB at most together. A text that is one placeholder takes the type of its value.',
      examples: [{ city: 'London', orders: '{{trigger.body.orders}}' }],
    }),
  ),
})
type Config = Static<typeof Config>

export const updateContactNode = action({
  type: 'update_contact',
  title: 'Update a contact',
  description: 'Changes fields of a contact. Fields that are left out do not change.',
  config: Config,
  output: Type.Object({ contactId: Uuid, email: Type.String() }),
  retries: true,
  faults(config) {
    const { contact: _, ...changes } = config
    if (Object.keys(changes).length === 0) return [{ path: '', message: 'names nothing to change' }]
    return valueFaults(config).filter(({ path, value }) => {
      const isOpen = path === 'unsubscribed' ? isPlaceholder : hasPlaceholder
      return !(typeof value === 'string' && isOpen(value))
    })
  },
  prepare({ properties, unsubscribed, ...rest }, context) {
    return {
      ...fillWithContact(rest, context),
      ...(unsubscribed !== undefined && { unsubscribed: readFlag(fillValues(unsubscribed, context)) }),
      ...(properties && { properties: fillValues(properties, context) }),
    }
  },
  async run({ app, teamId, executionId }, input) {
    const faults = valueFaults(input)
    if (faults.length > 0) throw becameInvalid(...faults)
    refuseUnstorable(input)
    const contact = nameOfContact(input.contact)
    const given = changesOf(input)
    const changed = await changeContact(app, { teamId, contact, given, mergeProperties: true, cause: executionId })
    if (changed) return { output: { contactId: changed.id, email: changed.email } }
    // In test mode, a live contact is found and stays as it is. Test keys read the output, and learn no address by it.
    const { id, isOwn } = await findNamedContact(app.db, teamId, contact)
    // Created since the change looked for it. The next attempt changes it.
    if (isOwn) throw unavailable('The contact was created at this moment.')
    return { output: { contactId: id, email: isUuid(contact) ? addressInTest : contact } }
  },
})

/** An address of nobody, to which later nodes of a test execution can send. */
const addressInTest = 'contact@people.test'

/** Reads `true` and `false` also as texts, the form that they have in queries and forms. */
function readFlag<T>(value: T): T | boolean {
  return value === 'true' || value === 'false' ? value === 'true' : value
}

const names = {
  ...eachText((name) => textFields[name].column),
  unsubscribed: 'unsubscribed',
  properties: 'properties',
} as const satisfies Partial<Record<keyof GivenFields, keyof Config>>
const fields = Object.keys(names) as (keyof typeof names)[]

function valueFaults(config: Draft<Config>): ValueFault[] {
  return faultsOf(changesOf(config)).map(({ path, message }) => {
    const name = names[path as keyof typeof names]
    return { path: name, value: config[name], message }
  })
}

function changesOf(config: Draft<Config>) {
  return Object.fromEntries(fields.flatMap((name) => (names[name] in config ? [[name, config[names[name]]]] : [])))
}
