import type { Db } from '../../../context.ts'
import { invalid, unprocessable } from '../../../platform/errors.ts'
import { findTemplate } from '../../../templates/queries.ts'
import { renderSubject, renderText, type TemplateVariables } from '../../../templates/render.ts'
import { subjectMax } from '../../bounds.ts'
import type { SendEmailBody } from '../../schema.ts'
import type { EmailCommand } from '../email.ts'

/**
 * Takes html or text from the template if the request leaves them out, and fills in the variables. A template that
 * cannot be used is noted in `templateRefusal`, because the domain is checked first.
 */
export async function renderCommand(
  db: Db,
  teamId: string,
  body: Pick<SendEmailBody, 'templateId' | 'templateVariables'>,
  command: EmailCommand,
): Promise<EmailCommand> {
  const { templateId, templateVariables: variables } = body
  const template = templateId === undefined ? undefined : await findTemplate(db, teamId, templateId)
  if (templateId !== undefined && template?.status !== 'published') {
    const message =
      'The template is not there, or is a draft. Publish it with PATCH /v1/templates/{id} {"status": "published"}.'
    return { ...command, templateRefusal: unprocessable('template_not_published', message) }
  }
  const html = command.html ?? template?.html ?? null
  const text = command.text ?? template?.text ?? null
  if (variables === undefined) return { ...command, html, text }
  return {
    ...command,
    subject: renderedSubject(command.subject, variables),
    html: html === null ? null : renderText(html, variables, { escape: 'html' }),
    text: text === null ? null : renderText(text, variables, { escape: 'text' }),
  }
}

/** Renders the subject. Its limit holds for the rendered text. */
function renderedSubject(source: string, variables: TemplateVariables): string {
  const subject = renderSubject(source, variables)
  if (subject.length > subjectMax)
    throw invalid('subject', `is longer than ${subjectMax} characters with its variables`)
  return subject
}
