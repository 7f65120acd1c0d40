import * as kind from '../../../platform/environment/parsers.ts'
import type { Settings } from '../../../platform/environment/settings.ts'

const region: kind.Parser<string> = {
  must: 'a region of Amazon such as us-east-1',
  parse: (value) => (/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/.test(value) ? value : undefined),
}

export const awsSettings = {
  region: {
    variable: 'SMS_AWS_REGION',
    kind: region,
    required: true,
    about: 'The region whose numbers and topics are used.',
  },
  configurationSet: {
    variable: 'SMS_AWS_CONFIGURATION_SET',
    kind: kind.text,
    about: 'The configuration set that publishes events.',
  },
  topicArns: {
    variable: 'SMS_AWS_TOPIC_ARNS',
    kind: kind.words,
    default: '',
    unset: 'none: all events are refused',
    about: 'ARNs of the Amazon SNS topics whose events are accepted, comma-separated.',
  },
  endpoint: {
    variable: 'SMS_AWS_ENDPOINT',
    kind: kind.webUrl,
    unset: "Amazon's",
    about: 'Another endpoint of the same protocol.',
  },
} satisfies Settings
