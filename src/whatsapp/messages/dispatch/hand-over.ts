import { sql } from 'kysely'
import { handsOverOnce } from '../../../phone/hand-over.ts'
import { modeOf } from '../../../platform/mode/mode.ts'
import type { WhatsappMessageJob } from '../../jobs.ts'
import type { OutboundWhatsapp, WhatsappAnswer } from '../../provider.ts'

type Columns = {
  from: string
  to: string
  body: string
  variables: string[] | null
  templateName: string | null
  phoneNumberId: string | null
  wabaId: string | null
}

const columns = sql`message.from_number as "from", message.to_number as "to", message.body, message.variables,
  message.template_name as "templateName", sender.phone_number_id as "phoneNumberId", sender.waba_id as "wabaId"`

/** Hands the message of a job to the provider, at most once. It is `refused` if the sender is not active. */
export const handOver = handsOverOnce<WhatsappMessageJob, Columns, OutboundWhatsapp, WhatsappAnswer>({
  marking: { channel: 'whatsapp', columns },
  outboundOf(row, job) {
    const { teamId, messageId, from, to, phoneNumberId, wabaId } = row
    // An active sender has both ids.
    const address = { phoneNumberId: phoneNumberId!, wabaId: wabaId!, from, to }
    return { teamId, messageId, ...address, content: contentOf(row, job) }
  },
  send: (app, message) => app.providers.whatsapp[modeOf(message.teamId)].send(message),
})

function contentOf({ body, variables, templateName }: Columns, job: WhatsappMessageJob): OutboundWhatsapp['content'] {
  if (templateName === null) return { kind: 'text', body }
  const { language, components } = job.payload as { language: string; components: Record<string, unknown> | null }
  return { kind: 'template', name: templateName, language, components, variables: variables ?? [], body }
}
