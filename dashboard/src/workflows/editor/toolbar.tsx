import { useEffect, useState } from 'react'
import { changed, forget, removeShown } from '../../api/client.ts'
import { post } from '../../api/request.ts'
import { useMay } from '../../session/me.ts'
import { Button, ButtonLink } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/dialog/menu.tsx'
import { say, sayFault } from '../../ui/dialog/toast.tsx'
import { useGoOn } from '../../ui/go/use-go.ts'
import { EditDetails } from '../create.tsx'
import { useMayChange, type Workflow } from '../workflow.ts'
import { RunWorkflow } from './run.tsx'
import type { EditorState } from './use-editor.ts'

type Props = { workflow: Workflow; editor: EditorState; isReadOnly: boolean; onDeleted: () => void }

export function Toolbar({ workflow, editor, isReadOnly, onDeleted }: Props) {
  const mayWrite = useMay('PATCH /v1/workflows/:id')
  const mayChange = useMayChange(workflow)
  const isActive = workflow.status === 'active'
  const { isChanged, busy } = editor
  useUndoKeys(editor, isReadOnly)
  async function save() {
    if (await editor.save()) say('Saved')
  }
  async function switchTo(active: boolean) {
    if (await editor.switchTo(active)) say(active ? 'The workflow is active' : 'The workflow is inactive')
  }
  return (
    <>
      {!isReadOnly && (
        <>
          <Button disabled={!editor.canUndo} onClick={editor.undo}>
            Undo
          </Button>
          <Button disabled={!editor.canRedo} onClick={editor.redo}>
            Redo
          </Button>
        </>
      )}
      <ButtonLink to={`/workflows/${workflow.id}/executions`}>Executions</ButtonLink>
      {mayWrite && <RunWorkflow workflow={workflow} editor={editor} />}
      {mayWrite && (
        <Button isBusy={busy.includes('switch')} onClick={() => void switchTo(!isActive)}>
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
      )}
      {!isReadOnly && (
        <Button kind="main" isBusy={busy.includes('save')} onClick={() => void save()}>
          Save
        </Button>
      )}
      {isChanged && !isReadOnly && <span className="small muted unsaved">Not saved</span>}
      {mayWrite && mayChange && <More {...{ workflow, isReadOnly, onDeleted }} />}
    </>
  )
}

/** Control Z and Control Y, unless a field has them for its own text. */
function useUndoKeys({ undo, redo }: EditorState, isReadOnly: boolean) {
  useEffect(() => {
    if (isReadOnly) return
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('dialog[open]')) return
      const target = event.composedPath()[0]
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) redo()
      else undo()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [undo, redo, isReadOnly])
}

type Asked = 'details' | 'delete' | null

function More({ workflow, isReadOnly, onDeleted }: Omit<Props, 'editor'>) {
  const [asked, ask] = useState<Asked>(null)
  const [isDuplicating, setDuplicating] = useState(false)
  const go = useGoOn()
  const close = () => ask(null)
  async function duplicate() {
    if (isDuplicating) return
    setDuplicating(true)
    try {
      const copy = await post('/v1/workflows/:id/duplicate', { id: workflow.id })
      changed('workflows')
      say(`${copy.name} is a draft`)
      await go(`/workflows/${copy.id}`)
    } catch (error) {
      sayFault(error)
    } finally {
      setDuplicating(false)
    }
  }
  return (
    <>
      <Menu name="More actions" icon="more" className="button button-plain button-icon">
        {!isReadOnly && <MenuItem onSelect={() => ask('details')}>Edit details</MenuItem>}
        <MenuItem onSelect={() => void duplicate()}>{isDuplicating ? 'Duplicating…' : 'Duplicate'}</MenuItem>
        <MenuLine />
        <MenuItem isDanger onSelect={() => ask('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {asked === 'details' && (
        <Dialog title="Edit details" onClose={close}>
          <EditDetails workflow={workflow} onDone={close} />
        </Dialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={`Delete ${workflow.name}?`}
          verb="Delete"
          onClose={close}
          onConfirm={async () => {
            await removeShown('/v1/workflows/:id', workflow.id)
            onDeleted()
            changed('workflows')
            say(`${workflow.name} is deleted`)
            await go('/workflows')
            forget(workflow.id)
          }}
        >
          <p>Its executions are deleted too, and those under way are cancelled.</p>
          {workflow.status === 'active' && <p>An active workflow cannot be deleted. Deactivate it first.</p>}
        </ConfirmDialog>
      )}
    </>
  )
}
