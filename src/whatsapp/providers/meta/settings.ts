import * as kind from '../../../platform/environment/parsers.ts'
import type { Settings } from '../../../platform/environment/settings.ts'

const graphVersion: kind.Parser<string> = {
  must: 'a version of the Graph API such as v23.0',
  parse: (value) => (/^v\d{1,3}\.\d{1,2}$/.test(value) ? value : undefined),
}

const sixDigits: kind.Parser<string> = {
  must: 'six digits',
  secret: true,
  parse: (value) => (/^\d{6}$/.test(value) ? value : undefined),
}

export const metaSettings = {
  accessToken: {
    variable: 'META_ACCESS_TOKEN',
    kind: kind.secret,
    required: true,
    about: 'The access token of the Meta application.',
  },
  appSecret: {
    variable: 'META_APP_SECRET',
    kind: kind.secret,
    required: true,
    about: 'Signs what Meta posts to `/providers/meta/whatsapp`.',
  },
  verifyToken: {
    variable: 'META_VERIFY_TOKEN',
    kind: kind.secret,
    required: true,
    about: "The verify token you enter in Meta's console with the address of the webhook.",
  },
  registrationPin: {
    variable: 'META_REGISTRATION_PIN',
    kind: sixDigits,
    about: 'Registers numbers for the Cloud API when their sender is verified.',
  },
  apiVersion: {
    variable: 'META_API_VERSION',
    kind: graphVersion,
    default: 'v23.0',
    about: 'Version of the Graph API.',
  },
  apiBase: {
    variable: 'META_API_BASE',
    kind: kind.webUrl,
    default: 'https://graph.facebook.com',
    about: 'Base address of the Graph API.',
  },
} satisfies Settings
