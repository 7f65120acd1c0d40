import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp, type TestTeam } from '../../../test/app.ts'
import { outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await sharedTestApp()

/** Sends an email of a node. */
const send = (team: TestTeam, config: object, triggerData?: object) => {
  const common = { from: `Shop <hello@${team.domain}>`, to: 'ada@example.com', subject: 'Hello' }
  return runChain(posthorn, team, [{ type: 'send_email', config: { ...common, ...config } }], triggerData)
}

test('the text behind a bar stands in for a missing variable, and triple braces put a variable in as it is', async () => {
  const team = await posthorn.team()
  const html =
    '<p>{{name|there}} {{{name|<b>you</b>}}} {{{code}}} {{code}} {{trigger.city|a & b}} {{trigger.none|home}}</p>'
  const config = {
    subject: 'Hi {{name|there}}',
    html,
    text: '{{{code}}} {{vars.x|none}} {{{trigger.city|x}}} {{unknown}}',
  }
  const template_variables = { code: '<i>{{trigger.city}}</i>' }
  const { emailId } = outputOf(await send(team, { ...config, template_variables }, { city: 'Rome & <Ostia>' }))
  const city = 'Rome &amp; &lt;Ostia&gt;'
  const email = (await team.api.get(`/v1/emails/${emailId}`)).body
  assert.equal(email.subject, 'Hi there')
  const code = `<i>Rome & <Ostia></i> &lt;i&gt;${city}&lt;/i&gt;`
  assert.equal(email.html, `<p>there <b>you</b> ${code} ${city} home</p>`)
  assert.equal(email.text, '<i>Rome & <Ostia></i> none Rome & <Ostia> {{unknown}}')
})

test('a template is rendered with its fallbacks also without variables', async () => {
  const team = await posthorn.team()
  const fields = { name: 'Hello', html: '<p>Hi {{name|there}} {{unknown}}</p>', text: 'Hi {{name|there}}' }
  const { id } = (await team.api.post('/v1/templates', fields)).body
  await team.api.patch(`/v1/templates/${id}`, { status: 'published' })
  const { emailId } = outputOf(await send(team, { template_id: id }))
  const email = (await team.api.get(`/v1/emails/${emailId}`)).body
  assert.deepEqual([email.html, email.text], ['<p>Hi there {{unknown}}</p>', 'Hi there'])
})
