import { Button } from '../../ui/button/button.tsx'
import { CopyButton } from '../../ui/button/copy.tsx'
import { saveFile } from '../../ui/button/save-file.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'

/**
 * Ten codes that each replace a code of the app once. Only *Done* closes the dialog, so that Escape cannot lose them.
 */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n')
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
