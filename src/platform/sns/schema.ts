import Type from 'typebox'

const Line = (description: string) => Type.Optional(Type.String({ description }))

/** A message of Amazon SNS as it is posted to a subscription. Its signature is in the body. */
export const SnsMessage = Type.Object(
  {
    Type: Type.String({ examples: ['Notification'], description: 'Also `SubscriptionConfirmation`.' }),
    MessageId: Type.String(),
    TopicArn: Type.String({ examples: ['arn:aws:sns:eu-west-1:123456789012:posthorn'] }),
    Message: Type.String({ description: 'The event, as JSON.' }),
    Timestamp: Type.String({ examples: ['2026-01-31T09:30:00.000Z'] }),
    SignatureVersion: Type.String({ examples: ['1'] }),
    Signature: Type.String({ description: 'Over the fields above, with the key of `SigningCertURL`.' }),
    SigningCertURL: Type.String(),
    SubscribeURL: Line('For a `SubscriptionConfirmation`: the address that confirms it.'),
  },
  { additionalProperties: true },
)
