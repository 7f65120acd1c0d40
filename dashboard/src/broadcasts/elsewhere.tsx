import { Button } from '../ui/button.tsx'
import { type DraftField, labels } from './draft.ts'
import type { Notice } from './use-draft.ts'

type Props = { notice: Notice; onTake: () => void; onDismiss: () => void }

/** Says what another person changed in the draft that is being written here. */
export function ElsewhereNotice({ notice: { changed, clashes }, onTake, onDismiss }: Props) {
  return (
    <div role="alert" className="fault elsewhere">
      <p className="empty-title">Someone else changed this draft</p>
      {clashes.length > 0 ? (
        <p>You both changed {listed(clashes)}. What you typed is kept. It replaces theirs when you save the draft.</p>
      ) : (
        <p>{listed(changed)} now holds what they saved. What you typed is kept.</p>
      )}
      <div className="actions">
        {clashes.length > 0 && <Button onClick={onTake}>Take theirs</Button>}
        <Button onClick={onDismiss}>{clashes.length > 0 ? 'Keep mine' : 'Understood'}</Button>
      </div>
    </div>
  )
}

/** Says that the broadcast left while it was being written here. */
export function SentElsewhere({ onSave }: { onSave: () => void }) {
  return (
    <div role="alert" className="fault elsewhere">
      <p className="empty-title">Someone else sent this broadcast</p>
      <p>It can no longer be changed. What you typed is still here.</p>
      <div className="actions">
        <Button onClick={onSave}>Save as another draft</Button>
      </div>
    </div>
  )
}

function listed(fields: DraftField[]): string {
  return new Intl.ListFormat('en').format(fields.map((field) => labels[field]))
}
