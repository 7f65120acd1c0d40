import { changed } from '../api/client.ts'
import { patch } from '../api/request.ts'
import { admins } from '../api/roles.ts'
import { nameRoles, useHasRole } from '../session/me.ts'
import { useFollowedForm } from '../typing/use-followed-form.ts'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { localDay } from '../ui/form/local-time.ts'
import { type ApiKey, endOfDay } from './key.ts'
import { ExpiryField, PermissionField } from './key-fields.tsx'

/**
 * The button *Edit <name>* and its dialog: name, permission and expiry. A developer only renames a `full_access` key.
 */
export function EditApiKey({ apiKey }: { apiKey: ApiKey }) {
  return (
    <DialogButton name={`Edit ${apiKey.name}`} short="Edit" kind="quiet">
      {(close) => <EditForm apiKey={apiKey} onDone={close} />}
    </DialogButton>
  )
}

function EditForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const isAdmin = useHasRole(admins)
  const before = { name: apiKey.name, permission: apiKey.permission, expiresOn: localDay(apiKey.expiresAt) }
  const form = useFollowedForm(
    before,
    async ({ expiresOn, ...changes }) => {
      // An expiry that was not touched is left out: the day would lose its time.
      const body = { ...changes, ...(expiresOn !== undefined && { expiresAt: endOfDay(expiresOn) }) }
      if (Object.keys(body).length > 0) await patch('/v1/api-keys/:id', { id: apiKey.id, body })
      changed('api-keys')
      say(`${changes.name ?? apiKey.name} is saved`)
      onDone()
    },
    { expiresOn: 'expiresAt' },
  )
  return (
    <Form form={form} verb="Save">
      <Field label="Name" maxLength={200} {...form.field('name')} autoFocus />
      {isAdmin || apiKey.permission === 'sending_access' ? (
        <>
          <PermissionField form={form} />
          <ExpiryField form={form} />
        </>
      ) : (
        <p className="muted">{nameRoles(admins)} change the permission and the expiry of a key with full access.</p>
      )}
    </Form>
  )
}
