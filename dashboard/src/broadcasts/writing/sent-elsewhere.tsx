import { Button } from '../../ui/button/button.tsx'

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
