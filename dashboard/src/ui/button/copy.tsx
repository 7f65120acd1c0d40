import { useState } from 'react'
import { say, sayFault } from '../dialog/toast.tsx'
import { Button } from './button.tsx'

type Props = {
  text: string
  /** The button's name, such as *Copy key*. */
  name: string
  /** Only the icon is shown. */
  isSmall?: boolean
  /** The button takes the focus as it appears. */
  autoFocus?: boolean
}

export function CopyButton({ text, name, isSmall, autoFocus }: Props) {
  const [isDone, setDone] = useState(false)
  async function copy() {
    try {
      await writeClipboard(text)
      say('Copied')
      setDone(true)
      setTimeout(() => setDone(false), 2000)
    } catch {
      sayFault(new Error('The browser did not allow copying. Select the text and copy it by hand.'))
    }
  }
  const icon = isDone ? 'check' : 'copy'
  return isSmall ? (
    <Button kind="quiet" icon={icon} label={name} autoFocus={autoFocus} onClick={() => void copy()} />
  ) : (
    <Button icon={icon} autoFocus={autoFocus} onClick={() => void copy()}>
      {name}
    </Button>
  )
}

/** Copies by the browser's clipboard, and where that is missing, on plain http, by a selection. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  const home = document.querySelector('dialog[open]') ?? document.body
  home.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('not copied')
}
