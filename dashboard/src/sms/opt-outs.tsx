import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { post, type RowOf, remove } from '../api/request.ts'
import { useMay } from '../session/me.ts'
import { DeleteButton } from '../ui/dialog/delete-button.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { LineForm } from '../ui/form/line-form.tsx'
import { actionColumn, type Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { isErased, KeptAddress, nameOfKept } from '../ui/text/erased.tsx'
import { Time } from '../ui/text/time.tsx'

type OptOut = RowOf<'/v1/sms/opt-outs'>

const reasons = { keyword: 'Wrote STOP', manual: 'Added by hand' }

const columns: Column<OptOut>[] = [
  {
    name: 'Number',
    width: '2fr',
    narrow: 'first',
    cell: ({ phoneNumber }) => <KeptAddress address={phoneNumber} noun="number" />,
  },
  {
    name: 'Reason',
    width: '1fr',
    narrow: 'second',
    cell: ({ phoneNumber, reason }) => (isErased(phoneNumber) ? 'Person was erased' : reasons[reason]),
  },
  { name: 'Since', width: '140px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
const removal = actionColumn<OptOut>('Remove', '84px', (row) => <Remove {...row} />)

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/sms/opt-outs')

export default function OptOuts() {
  const list = useList('/v1/sms/opt-outs')
  const mayChange = useMay('POST /v1/sms/opt-outs')
  return (
    <ListPage
      title="SMS opt-outs"
      actions={mayChange && <Add />}
      list={list}
      columns={mayChange ? [...columns, removal] : columns}
      none="No opt-outs yet"
    >
      <p>Numbers that wrote STOP are listed here. They get no more SMS until they write START.</p>
    </ListPage>
  )
}

function Add() {
  return (
    <DialogButton name="Add opt-out" kind="main">
      {(close) => (
        <LineForm
          label="Phone number"
          name="phoneNumber"
          type="tel"
          hint="With the country code, such as +61491570156."
          verb="Add"
          onSubmit={async (phoneNumber) => {
            const added = await post('/v1/sms/opt-outs', { body: { phoneNumber: phoneNumber.replace(/[\s()-]/g, '') } })
            changed('sms/opt-outs')
            say(`${added.phoneNumber} gets no more SMS`)
            close()
          }}
        />
      )}
    </DialogButton>
  )
}

function Remove({ id, phoneNumber }: OptOut) {
  const name = nameOfKept(phoneNumber, 'number')
  return (
    <DeleteButton
      verb="Remove"
      name={name}
      remove={() => remove('/v1/sms/opt-outs/:id', { id })}
      changes={['sms/opt-outs']}
      said={isErased(phoneNumber) ? 'The number can get SMS again' : `${phoneNumber} can get SMS again`}
    >
      {isErased(phoneNumber) && (
        <p>Posthorn has erased the person with this number. It knows the number only by a hash.</p>
      )}
      <p>Posthorn sends SMS to this number again. Remove it only if its owner asked for messages.</p>
    </DeleteButton>
  )
}
