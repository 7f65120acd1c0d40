import Type from 'typebox'
import { Body, Resource } from '../../platform/http/schema/schema.ts'
import { TwoFactorCode } from '../schema.ts'

export const CodeRequest = Body('TwoFactorCode', { code: TwoFactorCode })

export const Status = Resource('TwoFactorStatus', { enabled: Type.Boolean() })

export const Setup = Resource('TwoFactorSetup', {
  secret: Type.String({
    description: 'Base32, for typing into an app.',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  otpauthUrl: Type.String({ examples: ['otpauth://totp/Posthorn:ada%40example.com?issuer=Posthorn&secret=JBSWY3DP'] }),
  qrCode: Type.String({
    description: 'The URL as a PNG, in a data URL.',
    examples: ['data:image/png;base64,iVBORw0KGgo='],
  }),
})

const recoveryCodes = Type.Array(Type.String({ examples: ['k7fm-2x9p-w4bt'] }), {
  description: 'Ten codes that each replace a code of the app once. They are shown only here.',
})

export const Verified = Resource('TwoFactorConfirmed', { enabled: Type.Literal(true), recoveryCodes })

export const RecoveryCodes = Resource('RecoveryCodes', { recoveryCodes })

export const Disabled = Resource('TwoFactorDisabled', { enabled: Type.Literal(false) })
