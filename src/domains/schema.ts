import Type, { type Static } from 'typebox'
import { Body, Nullable, Page, Resource, Text, TextEnum, Timestamp, Uuid } from '../platform/http/schema/schema.ts'
import { nameLengthMax } from './name.ts'

const Name = { description: 'In lower case; names of other scripts in punycode.', examples: ['example.com'] }

const Region = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9-]+$',
  default: 'us-east-1',
  examples: ['us-east-1'],
})

const Tls = Type.Unsafe<'opportunistic' | 'enforced'>({
  ...TextEnum('opportunistic', 'enforced'),
  description: '`enforced` delivers over encrypted and verified connections only.',
})

const Status = Type.Unsafe<string>({
  ...TextEnum('not_started', 'pending', 'verified', 'failed', 'temporary_failure'),
  description:
    '`pending` while records are missing, for 72 hours from the first check, then `failed`; `temporary_failure` when DNS did not answer (it is asked again). A verified domain is checked daily, and is `failed` after its records have been missing for 72 hours or name another team.',
})

export const NewDomain = Body('NewDomain', {
  // Longer than a name in punycode, because other scripts take more characters.
  name: Text({
    minLength: 1,
    maxLength: 1000,
    description: 'A host name of at least two labels.',
    examples: ['example.com'],
  }),
  region: Type.Optional(Region),
})

export const DomainChanges = Body(
  'DomainChanges',
  {
    clickTracking: Type.Optional(
      Type.Boolean({
        description:
          'Links in HTML lead through the server. Links of more than about 1,400 characters, past the 2,000th of an email, or in HTML of more than 500,000 characters stay as they are.',
      }),
    ),
    openTracking: Type.Optional(Type.Boolean()),
    tls: Type.Optional(Tls),
    customReturnPath: Type.Optional(
      Nullable(
        Type.String({
          maxLength: nameLengthMax,
          description: 'A label, or a full name under the domain; null or empty restores `send.<name>`.',
          examples: ['bounce'],
        }),
      ),
    ),
  },
  { minProperties: 1 },
)
export type DomainChanges = Static<typeof DomainChanges>

const DomainRecord = Resource('DomainRecord', {
  type: TextEnum('mx', 'txt', 'cname'),
  name: Type.String({ examples: ['posthorn._domainkey.example.com'] }),
  value: Type.String({
    examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'],
    description: 'Empty if this server does not know it; `note` then says who does.',
  }),
  note: Type.Optional(Type.String({ description: 'Only for a record without a value.' })),
  priority: Nullable(Type.Integer()),
  status: TextEnum('pending', 'verified', 'failed'),
})

const ShownRegion = Type.String({ examples: ['us-east-1'] })

export const Domain = Resource(
  'Domain',
  {
    id: Uuid,
    name: Type.String(Name),
    status: Status,
    region: ShownRegion,
    clickTracking: Type.Boolean(),
    openTracking: Type.Boolean(),
    tls: Tls,
    customReturnPath: Nullable(Type.String({ examples: ['bounce'] })),
    records: Type.Array(DomainRecord, {
      description: 'The records to publish in DNS. SPF and MX follow the email provider of the installation.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { 'x-extends': 'DomainListItem' },
)

export const DomainList = Page(
  Resource('DomainListItem', {
    id: Uuid,
    name: Type.String(Name),
    status: Status,
    region: ShownRegion,
    createdAt: Timestamp,
  }),
)
