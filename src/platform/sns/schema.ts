import Type from 'typebox'
import { Resource } from '../http/schema/schema.ts'

const Line = (description: string) => Type.Optional(Type.String({ description }))

/** A message of Amazon SNS as it is posted to a subscription. Its signature is in the body. */
export const SnsMessage = Resource(
  'SnsMessage',
  {
    Type: Type.String({ examples: ['Notification'], description: 'Also `SubscriptionConfirmation`.' }),
    MessageId: Type.String({ examples: ['22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324'] }),
    TopicArn: Type.String({ examples: ['arn:aws:sns:eu-west-1:123456789012:posthorn'] }),
    Message: Type.String({ description: 'The event, as JSON.', examples: ['{}'] }),
    Timestamp: Type.String({ examples: ['2026-01-31T09:30:00.000Z'] }),
    SignatureVersion: Type.String({ examples: ['1'] }),
    Signature: Type.String({
      examples: ['EXAMPLE'],
      description: 'Over the fields above, with the key of `SigningCertURL`.',
    }),
    SigningCertURL: Type.String({ examples: ['https://sns.eu-west-1.amazonaws.com/cert.pem'] }),
    SubscribeURL: Line('For a `SubscriptionConfirmation`: the address that confirms it.'),
  },
  { additionalProperties: true },
)
