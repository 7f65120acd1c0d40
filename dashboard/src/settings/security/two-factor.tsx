import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changed } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { get } from '../../api/request.ts'
import { Status } from '../../status/status.tsx'
import { Button } from '../../ui/button/button.tsx'
import { CopyButton } from '../../ui/button/copy.tsx'
import { saveFile } from '../../ui/button/save-file.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useHeldAnswer, useHeldHistory } from '../../ui/dialog/use-held-history.ts'
import { Section } from '../../ui/frame/section.tsx'
import { Fetch } from '../../ui/frame/states.tsx'
import { NewRecoveryCodes, TurnOff } from './by-code.tsx'
import { TurnOn } from './turn-on.tsx'

export const statusQuery = {
  queryKey: keys.part('auth/2fa', 'status'),
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/auth/2fa/status', {}, { signal }),
}

/** Shows whether two-factor is on, and switches it. Recovery codes are shown once, when they are made. */
export function TwoFactor() {
  const query = useQuery(statusQuery)
  const [codes, setCodes] = useState<string[] | null>(null)
  const held = useHeldAnswer()
  const finish = () => {
    setCodes(null)
    changed('auth/2fa', 'auth/me', 'team')
  }
  return (
    <Section title="Two-factor" className="settings-part">
      <Fetch query={query} lines={2}>
        {({ enabled }) => (
          <>
            <p>
              <Status of={enabled ? 'active' : 'inactive'} label={enabled ? 'On' : 'Off'} />
            </p>
            <p className="muted">
              {enabled
                ? 'Signing in asks for a code of your authenticator app. A recovery code replaces it once.'
                : 'With two-factor on, signing in asks for a code of an authenticator app on your phone.'}
            </p>
            <div className="actions">
              {enabled ? (
                <>
                  <NewRecoveryCodes held={held} onDone={setCodes} />
                  <TurnOff onDone={finish} />
                </>
              ) : (
                <TurnOn held={held} onDone={setCodes} />
              )}
            </div>
          </>
        )}
      </Fetch>
      {codes && <RecoveryCodes codes={codes} onDone={finish} />}
    </Section>
  )
}

/**
 * Ten codes that each replace a code of the app once. Only *Done* closes the dialog, so that neither Escape nor Back
 * can lose them.
 */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n')
  useHeldHistory()
  return (
    <Dialog title="Save your recovery codes" onClose={onDone} isFirm>
      <p>Each of them replaces a code of your authenticator app once. They are shown only now.</p>
      <ul aria-label="Recovery codes" className="recovery-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={text} name="Copy codes" />
        <Button icon="download" onClick={() => saveFile(`${text}\n`, 'posthorn-recovery-codes.txt')}>
          Download codes
        </Button>
        <Button kind="main" onClick={onDone}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
