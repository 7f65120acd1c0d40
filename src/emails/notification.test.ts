import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounceNotification, complaintNotification, delayNotification, deliveryNotification } from './notification.ts'

const at = new Date('2026-01-31T12:00:00Z')
const later = new Date('2026-01-31T12:00:05Z')
const message = {
  messageId: '<1@a.test>',
  summary: { from: 'Ada <a@a.test>' },
  envelope: { from: 'r@send.a.test', to: ['b@b.test', 'c@c.test'] },
  at,
}
const mail = {
  timestamp: '2026-01-31T12:00:00.000Z',
  messageId: '1@a.test',
  source: 'a@a.test',
  destination: ['b@b.test', 'c@c.test'],
}
const timestamp = '2026-01-31T12:00:05.000Z'

test('a bounce has the shape of Amazon SES', () => {
  const diagnosis = { permanent: true, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 unknown' }
  assert.deepEqual(bounceNotification(message, 'b@b.test', diagnosis, later), {
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        { emailAddress: 'b@b.test', status: '5.1.1', action: 'failed', diagnosticCode: 'smtp; 550 5.1.1 unknown' },
      ],
      timestamp,
    },
    mail,
  })
})

test('deliveries, complaints and delays have the shape of Amazon SES', () => {
  assert.deepEqual(deliveryNotification(message, ['b@b.test'], '250 ok', later), {
    notificationType: 'Delivery',
    delivery: { timestamp, recipients: ['b@b.test'], smtpResponse: '250 ok' },
    mail,
  })
  assert.deepEqual(complaintNotification(message, 'b@b.test', 'abuse', later), {
    notificationType: 'Complaint',
    complaint: { complainedRecipients: [{ emailAddress: 'b@b.test' }], complaintFeedbackType: 'abuse', timestamp },
    mail,
  })
  const delayed = { status: '4.4.1', diagnosticCode: 'smtp; 451 4.4.1 later' }
  assert.deepEqual(delayNotification(message, 'b@b.test', delayed, later).deliveryDelay, {
    delayType: 'TransientCommunicationFailure',
    delayedRecipients: [{ emailAddress: 'b@b.test', ...delayed }],
    timestamp,
  })
})
