import type { ReactNode } from 'react'
import { changed, type DeletedPath, removeShown } from '../../api/client.ts'
import { nounOf } from '../../api/list.ts'
import type { PageNoun } from '../../paths.ts'
import { useGo } from '../go/use-go.ts'
import { ConfirmButton } from './confirm.tsx'
import { say } from './toast.tsx'

type Props = {
  /** Its path in the API, such as `/v1/sms/senders/:id`. The list that it is in has the same noun, and a page. */
  path: Extract<DeletedPath, `/v1/${PageNoun}/:id`>
  id: string
  name: string
  /** Other nouns that change with it. */
  also?: string[]
  onDeleted?: () => void
  /** The consequence, in a sentence. */
  children: ReactNode
}

/** Deletes what the page shows, after a question, and goes to the list. */
export function DeleteShown({ path, id, name, also = [], onDeleted, children }: Props) {
  const go = useGo()
  const noun = nounOf(path.replace('/:id', '')) as PageNoun
  return (
    <ConfirmButton
      name={`Delete ${name}`}
      short="Delete"
      verb="Delete"
      kind="danger"
      onConfirm={async () => {
        await removeShown(path, id)
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
