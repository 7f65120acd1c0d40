import * as kind from '../../../platform/environment/parsers.ts'
import type { Settings } from '../../../platform/environment/settings.ts'

const accountSid: kind.Parser<string> = {
  must: 'the SID of an account, which begins with AC',
  parse: (value) => (/^AC\w{1,64}$/.test(value) ? value : undefined),
}

export const twilioSettings = {
  accountSid: {
    variable: 'TWILIO_ACCOUNT_SID',
    kind: accountSid,
    required: true,
    about: 'The SID of the account.',
  },
  authToken: {
    variable: 'TWILIO_AUTH_TOKEN',
    kind: kind.secret,
    required: true,
    about: 'The auth token of the account, which also signs what Twilio posts.',
  },
  messagingServiceSid: {
    variable: 'TWILIO_MESSAGING_SERVICE_SID',
    kind: kind.text,
    about: 'A messaging service to send with; the senders of teams must be among its senders.',
  },
  apiBase: {
    variable: 'TWILIO_API_BASE',
    kind: kind.webUrl,
    default: 'https://api.twilio.com',
    about: 'Base address of the API.',
  },
} satisfies Settings
