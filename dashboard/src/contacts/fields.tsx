import type { ComponentProps } from 'react'
import { parseJson } from '../api/exact-json.ts'
import { Refusal } from '../api/refusal.ts'
import type { Contact } from '../audience/contact.ts'
import { Field, TextArea } from '../ui/field.tsx'

export const emptyContact = { firstName: '', lastName: '', phoneNumber: '', properties: '' }
export type ContactTexts = typeof emptyContact

/** The fields of a contact as texts, for a form. */
export function textsOf({ firstName, lastName, phoneNumber, properties }: Contact): ContactTexts {
  const isEmpty = Object.keys(properties).length === 0
  return {
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    phoneNumber: phoneNumber ?? '',
    properties: isEmpty ? '' : JSON.stringify(properties, null, 2),
  }
}

/** The texts as the API takes them: empty ones clear. Throws a refusal at `properties` if they are no JSON object. */
export function valuesOf({ firstName, lastName, phoneNumber, properties }: ContactTexts) {
  const text = (value: string) => value.trim() || null
  return {
    firstName: text(firstName),
    lastName: text(lastName),
    phoneNumber: text(phoneNumber),
    properties: readProperties(properties),
  }
}

function readProperties(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const value = parseJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below, as for JSON that is no object.
  }
  const message = 'must be a JSON object, such as {"city": "London"}'
  throw new Refusal(400, { message: `properties ${message}`, errors: [{ path: 'properties', message }] })
}

type Props = {
  field: (name: keyof ContactTexts) => ComponentProps<'input'> & ComponentProps<'textarea'> & { name: string }
}

export function TextFields({ field }: Props) {
  return (
    <>
      <div className="form-row">
        <Field label="First name" isOptional maxLength={200} {...field('firstName')} />
        <Field label="Last name" isOptional maxLength={200} {...field('lastName')} />
      </div>
      <Field label="Phone number" type="tel" isOptional placeholder="+447700900123" {...field('phoneNumber')} />
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
