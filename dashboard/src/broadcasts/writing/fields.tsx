import { variableNames } from '../../../../src/contacts/fields.ts'
import { subjectMax } from '../../../../src/emails/bounds.ts'
import { Button } from '../../ui/button/button.tsx'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { Field, Select, TextArea } from '../../ui/form/field.tsx'
import { FormFault } from '../../ui/form/form.tsx'
import { NewestOnly } from '../../ui/form/newest-only.tsx'
import { anyOf } from '../../ui/text/words.ts'
import { useSegmentChoices, useTopicChoices, useVerifiedDomains } from './choices.tsx'
import { broadcastNameMax } from './draft.ts'
import type { DraftForm } from './use-draft.ts'

const shownDomainsMax = 3
const filledIn = [...variableNames, 'email', 'properties.city']

type Props = {
  form: DraftForm
  /** Offers to copy the content of a template, for a draft that begins. */
  onStart?: () => void
}

export function DraftFields({ form, onStart }: Props) {
  return (
    <div className="form">
      <FormFault form={form} />
      <Field
        label="Name"
        hint="For your team; recipients do not see it."
        maxLength={broadcastNameMax}
        {...form.field('name')}
      />
      <EnvelopeFields form={form} />
      <ContentFields form={form} {...(onStart && { onStart })} />
      <Field
        label="Send at"
        isOptional
        hint="In your time zone. Without it, the broadcast leaves as soon as you send it."
        type="datetime-local"
        {...form.field('scheduledAt')}
      />
    </div>
  )
}

function EnvelopeFields({ form }: { form: DraftForm }) {
  const domains = useVerifiedDomains().slice(0, shownDomainsMax)
  return (
    <>
      <div className="form-row">
        <Field
          label="From"
          placeholder={domains[0] ? `News <news@${domains[0]}>` : 'News <news@example.com>'}
          hint={domains.length > 0 ? `An address at ${anyOf(domains)}.` : 'An address of a verified domain.'}
          {...form.field('from')}
        />
        <Field
          label="Reply to"
          isOptional
          hint="Answers go here instead of to From."
          type="email"
          {...form.field('replyTo')}
        />
      </div>
      <div className="form-row">
        <Select label="Segment" hint="Everybody in it." {...useSegmentChoices()} {...form.field('segmentId')} />
        <Select
          label="Topic"
          isOptional
          hint="Only those opted in to it."
          {...useTopicChoices()}
          {...form.field('topicId')}
        />
      </div>
      <NewestOnly nouns={['segments', 'topics']} />
    </>
  )
}

function ContentFields({ form, onStart }: Props) {
  const html = form.field('html')
  return (
    <>
      <Field label="Subject" maxLength={subjectMax} {...form.field('subject')} />
      {onStart && (
        <div>
          <Button aria-haspopup="dialog" onClick={onStart}>
            Start from a template
          </Button>
        </div>
      )}
      <CodeEditor
        label="HTML"
        language="html"
        hint={`${filledIn.map((name) => `{{${name}}}`).join(', ')} and {{unsubscribeUrl}} are filled in.`}
        value={html.value}
        fault={html.fault}
        onChange={(value) => form.set({ html: value })}
      />
      <TextArea
        label="Text"
        isOptional
        hint="Made from the HTML if it is left empty."
        rows={6}
        {...form.field('text')}
      />
    </>
  )
}
