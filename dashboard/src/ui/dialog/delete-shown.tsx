import type { ReactNode } from 'react'
import { changed, type DeletedPath, forget, removeShown } from '../../api/client.ts'
import type { Noun, NounOf } from '../../api/keys.ts'
import type { PageNoun } from '../../paths.ts'
import { useGoOn } from '../go/use-go.ts'
import { ConfirmButton } from './confirm.tsx'
import { say } from './toast.tsx'

type Props = {
  /** Its noun, such as `sms/senders`, which its list in the API and the page of it have too. */
  noun: Extract<NounOf<DeletedPath>, PageNoun>
  id: string
  name: string
  /** Other nouns that change with it. */
  also?: Noun[]
  onDeleted?: () => void
  /** The consequence, in a sentence. */
  children: ReactNode
}

/** Deletes what the page shows, after a question, and goes to the list. */
export function DeleteShown({ noun, id, name, also = [], onDeleted, children }: Props) {
  const go = useGoOn()
  return (
    <ConfirmButton
      name={`Delete ${name}`}
      short="Delete"
      verb="Delete"
      kind="danger"
      onConfirm={async () => {
        await removeShown(`/v1/${noun}/:id`, id)
        onDeleted?.()
        await go(`/${noun}`)
        forget(id)
        changed(noun, ...also)
        say(`${name} is deleted`)
      }}
    >
      <p>{children}</p>
    </ConfirmButton>
  )
}
