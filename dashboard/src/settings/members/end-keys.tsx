import { changed } from '../../api/client.ts'
import { Refusal } from '../../api/refusal.ts'
import { remove } from '../../api/request.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { Group, Tick } from '../../ui/form/field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { countOf, sentence } from '../../ui/text/words.ts'
import type { KeysBeyond } from './member.ts'

export type KeysLeft = { email: string; keys: KeysBeyond }

/**
 * Offers to end the API keys of a member who was removed or lowered. None is ticked at first: a key that ends stops the
 * service that uses it, and cannot be brought back.
 */
export function EndKeys({ email, keys, onClose }: KeysLeft & { onClose: () => void }) {
  const form = useForm<Record<string, boolean>>({}, async (ticked) => {
    const ended = keys.filter(({ id }) => ticked[id])
    try {
      for (const { id } of ended) await end(id)
    } finally {
      changed('api-keys')
    }
    if (ended.length > 0) say(`${countOf(ended.length, 'API key')} of ${email} ended`)
    onClose()
  })
  const count = Object.values(form.values).filter(Boolean).length
  return (
    <Dialog title={`API keys of ${email}`} onClose={onClose}>
      <Form
        form={form}
        verb={count === 0 ? 'End keys' : `End ${countOf(count, 'key')}`}
        kind="danger"
        disabled={count === 0}
        onBack={onClose}
        back="Keep all"
        lead={
          <p>
            {email} made {countOf(keys.length, 'API key')} that may do more than the role allows now, and that go on
            working. End those that no service of the team needs.
          </p>
        }
      >
        <Group label="API keys to end">
          {keys.map(({ id, name, permission }) => (
            <Tick key={id} label={name} hint={sentence(permission)} {...form.tick(id)} />
          ))}
        </Group>
      </Form>
    </Dialog>
  )
}

/** A key that is gone already has ended: another person was faster, or an earlier try was. */
async function end(id: string): Promise<void> {
  try {
    await remove('/v1/api-keys/:id', { id })
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
  }
}
