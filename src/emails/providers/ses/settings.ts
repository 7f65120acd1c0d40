import * as kind from '../../../platform/environment/parsers.ts'
import type { Settings } from '../../../platform/environment/settings.ts'

export const sesSettings = {
  configurationSet: {
    variable: 'SES_CONFIGURATION_SET',
    kind: kind.text,
    unset: "the identity's own",
    about: 'The configuration set that publishes events.',
  },
  topicArns: {
    variable: 'SES_TOPIC_ARNS',
    kind: kind.words,
    default: '',
    unset: 'none: all events are refused',
    about: 'ARNs of the Amazon SNS topics whose events are accepted, comma-separated.',
  },
  endpoint: {
    variable: 'SES_ENDPOINT',
    kind: kind.webUrl,
    unset: "Amazon's",
    about: 'Another endpoint of the same protocol.',
  },
} satisfies Settings
