import { useEffect, useId, useRef } from 'react'
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
export function CodeEditor({
  label,
  language,
  value,
  onChange,
  hint,
  fault,
  isOptional,
  height = 280,
  onReady,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const latest = useRef({ value, onChange, onReady })
  latest.current = { value, onChange, onReady }
  const id = useId()
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
  return (
    <div className="field">
      <div className="field-head">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the editor is reached by Tab */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: as a label leads to its field */}
        <span className="field-name" onClick={() => editor.current?.focus()}>
          {label}
        </span>
        {isOptional && <span className="small muted">optional</span>}
      </div>
      {hint && <p className="small muted">{hint}</p>}
      <div ref={host} className={`code-host ${fault ? 'code-host-fault' : ''}`} style={{ height }} />
      {fault && (
        <p id={`${id}-fault`} role="alert" className="field-fault">
          {fault}
        </p>
      )}
    </div>
  )
}
