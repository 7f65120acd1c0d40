import type { ReactNode } from 'react'
import { changed } from '../../api/client.ts'
import type { Noun } from '../../api/keys.ts'
import { ConfirmButton } from './confirm.tsx'
import { say } from './toast.tsx'

type Props = {
  /** The verb of the button, such as *Revoke*. */
  verb?: string
  /** The name of the thing. The button is *Revoke Shop*. */
  name: string
  remove: () => Promise<unknown>
  changes: Noun[]
  /** The success in words. */
  said: string
  /** The consequence, in sentences. */
  children: ReactNode
}

/** A button in a row that deletes the row's thing, after a question. */
export function DeleteButton({ verb = 'Delete', name, remove, changes, said, children }: Props) {
  return (
    <ConfirmButton
      name={`${verb} ${name}`}
      short={verb}
      verb={verb}
      kind="quiet"
      onConfirm={async () => {
        await remove()
        changed(...changes)
        say(said)
      }}
    >
      {children}
    </ConfirmButton>
  )
}
