import { changed } from '../api/client.ts'
import { patch } from '../api/request.ts'
import { useFollowedForm } from '../typing/use-followed-form.ts'
import { say } from '../ui/dialog/toast.tsx'
import { Field, Group, Select, Tick } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import type { Domain } from './domain.ts'

/** The settings of a domain: tracking, TLS and the return path. */
export function Sending({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  return mayChange ? <SendingForm domain={domain} /> : <SendingFacts domain={domain} />
}

function SendingForm({ domain }: { domain: Domain }) {
  const { clickTracking, openTracking, tls, customReturnPath } = domain
  const before = { openTracking, clickTracking, tls, customReturnPath: customReturnPath ?? '' }
  const form = useFollowedForm(before, async ({ customReturnPath: path, ...changes }) => {
    const body = { ...changes, ...(path !== undefined && { customReturnPath: path.trim() || null }) }
    if (Object.keys(body).length > 0) await patch('/v1/domains/:id', { id: domain.id, body })
    changed('domains')
    say(`The settings of ${domain.name} are saved`)
  })
  return (
    <Form form={form} verb="Save" kind="plain" place="page">
      <Group label="Tracking">
        <Tick
          label="Open tracking"
          hint="A pixel in the HTML reports that an email was opened."
          {...form.tick('openTracking')}
        />
        <Tick
          label="Click tracking"
          hint={`Links lead through track.${domain.name}. Its record must be in DNS.`}
          {...form.tick('clickTracking')}
        />
      </Group>
      <div className="form-row">
        <Select
          label="TLS"
          hint="Enforced delivers over encrypted, verified connections only."
          options={[
            { value: 'opportunistic', label: 'Opportunistic' },
            { value: 'enforced', label: 'Enforced' },
          ]}
          {...form.field('tls')}
        />
        <Field
          label="Return path"
          hint={`Where bounces go, such as bounce.${domain.name}.`}
          placeholder={`send.${domain.name}`}
          isOptional
          maxLength={253}
          spellCheck={false}
          {...form.field('customReturnPath')}
        />
      </div>
    </Form>
  )
}

function SendingFacts({ domain }: { domain: Domain }) {
  return (
    <Facts>
      <Fact name="Open tracking">{domain.openTracking ? 'On' : 'Off'}</Fact>
      <Fact name="Click tracking">{domain.clickTracking ? 'On' : 'Off'}</Fact>
      <Fact name="TLS">{domain.tls === 'enforced' ? 'Enforced' : 'Opportunistic'}</Fact>
      <Fact name="Return path">{domain.customReturnPath ?? `send.${domain.name}`}</Fact>
    </Facts>
  )
}
