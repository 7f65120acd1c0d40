import type { ComponentProps } from 'react'
import { eachText, nameParts, type TextName, textFields, textNames } from '../../../src/contacts/fields.ts'
import { namesOf, pick, readObject } from '../api/objects.ts'
import { Refusal } from '../api/refusal.ts'
import type { Contact } from '../audience/contact.ts'
import { Field, TextArea } from '../ui/form/field.tsx'

type ContactTexts = Record<TextName | 'properties', string>

export const emptyContact: ContactTexts = { ...eachText(() => ''), properties: '' }

/** The fields of a contact as texts, for a form. */
export function textsOf(contact: Contact): ContactTexts {
  const { properties } = contact
  const isEmpty = Object.keys(properties).length === 0
  return {
    ...eachText((name) => contact[name] ?? ''),
    properties: isEmpty ? '' : JSON.stringify(properties, null, 2),
  }
}

/** The texts as the API takes them: empty ones clear. Throws a refusal at `properties` if they are no JSON object. */
export function valuesOf(texts: ContactTexts) {
  return { ...eachText((name) => texts[name].trim() || null), properties: readProperties(texts.properties) }
}

/** Returns the body of a change of some fields. Throws as `valuesOf` does. */
export function changesOf(texts: Partial<ContactTexts>) {
  return pick(valuesOf({ ...emptyContact, ...texts }), namesOf(texts))
}

function readProperties(text: string): Record<string, unknown> {
  const properties = readObject(text.trim() || '{}')
  if (properties) return properties
  const message = 'must be a JSON object, such as {"city": "London"}'
  throw new Refusal(400, { message: `properties ${message}`, errors: [{ path: 'properties', message }] })
}

const others = textNames.filter((name) => !textFields[name].isOfName)

type Props = {
  field: (name: keyof ContactTexts) => ComponentProps<'input'> & ComponentProps<'textarea'> & { name: string }
}

export function TextFields({ field }: Props) {
  return (
    <>
      <div className="form-row">{nameParts.map((name) => textField(name, field))}</div>
      {others.map((name) => textField(name, field))}
      <TextArea
        label="Properties"
        isOptional
        hint={'A JSON object, such as {"city": "London"}. Broadcasts fill them in.'}
        className="mono"
        spellCheck={false}
        {...field('properties')}
      />
    </>
  )
}

function textField(name: TextName, field: Props['field']) {
  const { title, input, example, lengthMax } = textFields[name]
  const looks = input === 'tel' ? { type: input, placeholder: example } : {}
  return <Field key={name} label={title} isOptional maxLength={lengthMax} {...looks} {...field(name)} />
}
