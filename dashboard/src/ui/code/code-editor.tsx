import { type RefObject, useEffect, useRef } from 'react'
import { FieldFrame } from '../form/field.tsx'
import type { Editor, Language } from './editor.ts'

type Props = {
  label: string
  language: Language
  value: string
  onChange?: (value: string) => void
  hint?: string
  fault?: string | undefined
  isOptional?: boolean
  /** In pixels. */
  height?: number
  /** Gets the editor when it is there, to insert text at the cursor. */
  onReady?: (editor: Editor) => void
}

/** An editor of code as a field. It is loaded when it is first shown. Without `onChange` it is read-only. */
export function CodeEditor(props: Props) {
  const { label, hint, fault, isOptional, height = 280 } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useEditor(host, props)
  const heading = (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the editor is reached by Tab
    // biome-ignore lint/a11y/noStaticElementInteractions: as a label leads to its field
    <span className="field-name" onClick={() => editor.current?.focus()}>
      {label}
    </span>
  )
  return (
    <FieldFrame {...{ label, hint, fault, isOptional, heading }}>
      {() => <div ref={host} className={`code-host ${fault ? 'code-host-fault' : ''}`} style={{ height }} />}
    </FieldFrame>
  )
}

/** Opens the editor in its place, and tells it later values. */
function useEditor(host: RefObject<HTMLDivElement | null>, props: Props): RefObject<Editor | undefined> {
  const { label, language, value, hint, onChange } = props
  const editor = useRef<Editor>(undefined)
  const latest = useRef(props)
  latest.current = props
  const isReadOnly = onChange === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values go to the editor that is there
  useEffect(() => {
    let isGone = false
    void import('./editor.ts').then(({ openEditor }) => {
      if (isGone || !host.current) return
      const opened = openEditor(host.current, {
        label,
        describedBy: hint,
        language,
        value: latest.current.value,
        isReadOnly,
        onChange: (text) => latest.current.onChange?.(text),
      })
      editor.current = opened
      latest.current.onReady?.(opened)
    })
    return () => {
      isGone = true
      editor.current?.close()
      editor.current = undefined
    }
  }, [language, label])
  useEffect(() => editor.current?.setValue(value), [value])
  useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly])
  return editor
}
