import { Dialog } from '../ui/dialog/dialog.tsx'
import { listShortcuts } from '../ui/go/shortcuts.ts'
import { usePlaces } from './navigation/places.ts'

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const everywhere = [
    { keys: 'Ctrl K', name: 'Command palette' },
    { keys: '?', name: 'Keyboard shortcuts' },
    { keys: 'c', name: 'Compose' },
  ]
  const places = usePlaces().flatMap(({ key, name }) => (key ? [{ keys: `g ${key}`, name }] : []))
  return (
    <Dialog title="Keyboard shortcuts" isWide onClose={onClose}>
      <div className="shortcuts">
        <Keys name="Everywhere" entries={everywhere} />
        <Keys name="On this page" entries={listShortcuts()} />
        <Keys name="Go to" entries={places} />
      </div>
    </Dialog>
  )
}

function Keys({ name, entries }: { name: string; entries: { keys: string; name: string }[] }) {
  if (entries.length === 0) return null
  return (
    <section>
      <h3>{name}</h3>
      <dl>
        {entries.map((entry) => (
          <div key={entry.keys} className="shortcut">
            <dt>{entry.name}</dt>
            <dd>
              {entry.keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
