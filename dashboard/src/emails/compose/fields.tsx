import { useState } from 'react'
import { subjectMax } from '../../../../src/emails/bounds.ts'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { Field, Group, type Option, Select, TextArea } from '../../ui/form/field.tsx'
import { FormFault, type useForm } from '../../ui/form/form.tsx'
import { anyOf } from '../../ui/text/words.ts'
import type { Composed } from './body.ts'

type ComposeForm = ReturnType<typeof useForm<Composed>>

type Props = { form: ComposeForm; domains: string[]; templates: Option[] | undefined }

/** To whom, from whom, and about what. */
export function Envelope({ form, domains, templates }: Props) {
  const isAny = domains.length === 0
  return (
    <>
      <FormFault form={form} />
      <Field
        label="From"
        placeholder={`Shop <hello@${domains[0] ?? 'example.com'}>`}
        hint={isAny ? 'An address of a verified domain.' : `An address at ${anyOf(domains.slice(0, 3))}.`}
        {...form.field('from')}
      />
      <Field label="To" hint="Several addresses have commas between them." {...form.field('to')} />
      <Field label="Subject" maxLength={subjectMax} {...form.field('subject')} />
      <Select
        label="Template"
        isOptional
        hint="It supplies HTML and text where you leave them empty."
        options={[{ value: '', label: 'No template' }, ...(templates ?? [])]}
        isReading={templates === undefined}
        {...form.field('templateId')}
      />
    </>
  )
}

export function Bodies({ form, hasTemplate }: { form: ComposeForm; hasTemplate: boolean }) {
  const html = form.field('html')
  return (
    <>
      <CodeEditor
        label="HTML"
        language="html"
        height={hasTemplate ? 120 : 240}
        value={html.value}
        fault={html.fault}
        isOptional={hasTemplate}
        onChange={(value) => form.set({ html: value })}
      />
      <TextArea label="Text" isOptional rows={hasTemplate ? 3 : 6} {...form.field('text')} />
    </>
  )
}

type VariablesProps = {
  names: string[]
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
}

/** A field for each variable of the content. */
export function Variables({ names, values, onChange }: VariablesProps) {
  return (
    <Group label="Variables">
      <div className="form-row">
        {names.map((name) => (
          <Field
            key={name}
            label={name}
            value={values[name] ?? ''}
            onChange={(event) => onChange({ ...values, [name]: event.target.value })}
          />
        ))}
      </div>
    </Group>
  )
}

/** Fields that few emails need. They open by themselves where one of them is refused, and stay open. */
export function MoreFields({ form }: { form: ComposeForm }) {
  const [isOpen, setOpen] = useState(false)
  const isAtFault = (['cc', 'bcc', 'replyTo', 'tags', 'headers'] as const).some((name) => form.field(name).fault)
  return (
    <details
      className="more-fields"
      open={isOpen || isAtFault}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Copies, tags and headers</summary>
      <div className="form">
        <div className="form-row">
          <Field label="Cc" isOptional {...form.field('cc')} />
          <Field label="Bcc" isOptional {...form.field('bcc')} />
        </div>
        <Field label="Reply to" isOptional {...form.field('replyTo')} />
        <div className="form-row">
          <TextArea label="Tags" isOptional rows={3} hint="A line each, such as order: 1024." {...form.field('tags')} />
          <TextArea
            label="Headers"
            isOptional
            rows={3}
            hint="A line each, such as X-Order: 1024."
            {...form.field('headers')}
          />
        </div>
      </div>
    </details>
  )
}
