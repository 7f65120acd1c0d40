import type { ReactNode } from 'react'
import { changed, removeShown } from '../../api/client.ts'
import type { PageNoun } from '../../paths.ts'
import { useGo } from '../go/use-go.ts'
import { ConfirmButton } from './confirm.tsx'
import { say } from './toast.tsx'

type Props = {
  /** The thing's noun, such as `sms/senders`: its path in the API, and that of the list to go to. */
  noun: PageNoun
  id: string
  name: string
  /** Other nouns that change with it. */
  also?: string[]
  onDeleted?: () => void
  /** The consequence, in a sentence. */
  children: ReactNode
}

/** Deletes what the page shows, after a question, and goes to the list. */
export function DeleteShown({ noun, id, name, also = [], onDeleted, children }: Props) {
  const go = useGo()
  return (
    <ConfirmButton
      name={`Delete ${name}`}
      short="Delete"
      verb="Delete"
      kind="danger"
      onConfirm={async () => {
        await removeShown(`/v1/${noun}`, id)
        onDeleted?.()
        await go(`/${noun}`)
        changed(noun, ...also)
        say(`${name} is deleted`)
      }}
    >
      <p>{children}</p>
    </ConfirmButton>
  )
}
