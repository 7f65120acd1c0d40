import type { ReactNode } from 'react'
import { Button } from '../ui/button/button.tsx'
import type { Texts } from './merge.ts'
import type { Elsewhere } from './use-versions.ts'

type SharedProps<Values extends Texts> = {
  shared: {
    keptNotice: ReactNode
    elsewhere: Elsewhere<Values> | undefined
    takeTheirs: () => void
    dismiss: () => void
  }
  /** The noun for the written thing, such as *draft*. */
  what: string
  labels: Record<keyof Values, string>
}

/** Says that typing was kept, and what another person changed in what is being written here. */
export function SharedNotices<Values extends Texts>({ shared, ...words }: SharedProps<Values>) {
  return (
    <>
      {shared.keptNotice}
      {shared.elsewhere && (
        <ElsewhereNotice
          {...words}
          elsewhere={shared.elsewhere}
          onTake={shared.takeTheirs}
          onDismiss={shared.dismiss}
        />
      )}
    </>
  )
}

type Props<Values extends Texts> = Omit<SharedProps<Values>, 'shared'> & {
  elsewhere: Elsewhere<Values>
  onTake: () => void
  onDismiss: () => void
}

function ElsewhereNotice<Values extends Texts>({ what, labels, elsewhere, onTake, onDismiss }: Props<Values>) {
  const { changed, clashes } = elsewhere
  const list = (fields: (keyof Values)[]) => new Intl.ListFormat('en').format(fields.map((field) => labels[field]))
  return (
    <div role="alert" className="fault elsewhere">
      <p className="empty-title">Someone else changed this {what}</p>
      {clashes.length > 0 ? (
        <p>
          You both changed {list(clashes)}. What you typed is kept. It replaces theirs when you save the {what}.
        </p>
      ) : (
        <p>{list(changed)} now holds what they saved. What you typed is kept.</p>
      )}
      <div className="actions">
        {clashes.length > 0 && <Button onClick={onTake}>Take theirs</Button>}
        <Button onClick={onDismiss}>{clashes.length > 0 ? 'Keep mine' : 'Dismiss'}</Button>
      </div>
    </div>
  )
}
