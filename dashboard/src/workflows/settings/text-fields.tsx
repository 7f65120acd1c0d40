import { type ChangeEvent, useRef } from 'react'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import type { Editor, Language } from '../../ui/code/editor.ts'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { type FieldProps, useControl, useSettings } from './settings.ts'
import { useOffers } from './use-offers.tsx'

/** Texts longer than this have several lines. */
const lineMax = 10_000

/** A text that may name values of earlier steps. */
export function TextField(props: FieldProps) {
  const { schema, value, onChange } = props
  const { isReadOnly } = useSettings()
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const text = textOf(value)
  const put = (next: string) => onChange(next === '' ? undefined : next)
  const offers = useOffers({
    anchor: () => control.current,
    replace(count, wanted) {
      const at = control.current?.selectionStart ?? text.length
      const rest = text.slice(at)
      put(text.slice(0, at - count) + wanted + (wanted.endsWith('}}') ? rest.replace(/^\}\}/, '') : rest))
      const cursor = at - count + wanted.length
      requestAnimationFrame(() => control.current?.setSelectionRange(cursor, cursor))
    },
  })
  const example = schema.default ?? schema.examples?.[0]
  const shared = {
    ...useControl(props),
    ref: control,
    ...(typeof example === 'string' && { placeholder: example }),
    ...(schema.maxLength && { maxLength: schema.maxLength }),
    value: text,
    readOnly: isReadOnly,
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      put(event.target.value)
      offers.follow(event.target.value.slice(0, event.target.selectionStart ?? undefined))
    },
    onKeyDown: offers.onKeyDown,
    onBlur: offers.onBlur,
    ...offers.attributes,
  }
  return (
    <div>
      {(schema.maxLength ?? 0) > lineMax ? <TextArea {...shared} /> : <Field {...shared} />}
      {offers.popup}
    </div>
  )
}

const languages: Record<string, Language> = {
  'text/html': 'html',
  'text/javascript': 'javascript',
  'application/json': 'json',
}
const lowPx = 120
const highPx = 260

/** A text in the language that the schema names. */
export function CodeField(props: FieldProps) {
  const { schema, value, onChange } = props
  const { isReadOnly, stepId } = useSettings()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const control = useControl(props)
  const language = languages[schema.contentMediaType ?? ''] ?? 'text'
  const offers = useOffers({
    anchor: () => host.current,
    replace: (count, text) => editor.current?.replaceBefore(count, text),
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the editor inside before the editor does
    <div ref={host} onKeyDownCapture={offers.onKeyDown} onBlur={offers.onBlur}>
      <CodeEditor
        key={stepId}
        {...control}
        language={language}
        value={textOf(value)}
        height={language === 'text' ? lowPx : highPx}
        {...(!isReadOnly && {
          onChange: (text: string) => {
            onChange(text === '' ? undefined : text)
            offers.follow(editor.current?.textBefore() ?? '')
          },
        })}
        onReady={(opened) => {
          editor.current = opened
        }}
      />
      {offers.popup}
    </div>
  )
}

/** Drafts may hold any JSON in the place of a text. */
function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
