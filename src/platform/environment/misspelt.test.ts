import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingVariables } from '../../settings.ts'
import { findMisspelt } from './misspelt.ts'

function meantBy(...names: string[]): (string | null)[] {
  const environment = Object.fromEntries(names.map((name) => [name, 'x']))
  return findMisspelt(environment, settingVariables).map(({ given, meant }) => `${given}: ${meant}`)
}

test('a name within two letters of a setting is told the setting', () => {
  const slips = {
    EMAL_PROVIDER: 'EMAIL_PROVIDER',
    EMIAL_PROVDER: 'EMAIL_PROVIDER',
    SMTP_RELAY_URl: 'SMTP_RELAY_URL',
    smtp_relay_url: 'SMTP_RELAY_URL',
    SMTP_RELAY_SPFF: 'SMTP_RELAY_SPF',
    SMPT_RELAY_URL: 'SMTP_RELAY_URL',
    SMTP_RELAYURL: 'SMTP_RELAY_URL',
    PAYMENT_PROVIDER: 'PAYMENTS_PROVIDER',
    DATABASE_URI: 'DATABASE_URL',
    APP_SECRT_FILE: 'APP_SECRET_FILE',
    TWILIO_ACCOUNT_ID: 'TWILIO_ACCOUNT_SID',
    NODE_EVN: 'NODE_ENV',
    LOGLEVEL: 'LOG_LEVEL',
    SINGUP: 'SIGNUP',
  }
  assert.deepEqual(
    meantBy(...Object.keys(slips)),
    Object.entries(slips).map(([given, meant]) => `${given}: ${meant}`),
  )
})

test('a name that begins with POSTHORN_ and is no setting is told so, with the setting where there is a near one', () => {
  assert.deepEqual(meantBy('POSTHORN_QUICK_START', 'POSTHORN_SMTP_PORT', 'POSTHORN_COLOUR', 'POSTHORN_QUICKSTART'), [
    'POSTHORN_QUICK_START: POSTHORN_QUICKSTART',
    'POSTHORN_SMTP_PORT: SMTP_PORT',
    'POSTHORN_COLOUR: null',
  ])
  const ofKubernetes = {
    POSTHORN_SERVICE_HOST: '10.0.0.7',
    POSTHORN_API_SERVICE_PORT_HTTP: '3000',
    POSTHORN_PORT: 'tcp://10.0.0.7:3000',
    POSTHORN_PORT_3000_TCP_ADDR: '10.0.0.7',
  }
  assert.deepEqual(findMisspelt(ofKubernetes, settingVariables), [])
})

test('settings, empty values, and names near a setting that is set itself are passed over', () => {
  assert.deepEqual(meantBy(...settingVariables, ...settingVariables.map((name) => `${name}_FILE`)), [])
  assert.deepEqual(findMisspelt({ EMAL_PROVIDER: '' }, settingVariables), [])
  assert.deepEqual(meantBy('DATABASE_URL', 'DATABASE_URI', 'REDIS_URL_FILE', 'REDIS_URI'), [])
})

test('variables that shells, npm, systemd, Kubernetes, clouds and other programs set are passed over', () => {
  const usual = `PATH HOME HOST HOSTNAME HOSTTYPE PORT PORTS PORT0 SORT LANG LANGUAGE LC_ALL LC_CTYPE TERM SHELL USER LOGNAME PWD
    OLDPWD SHLVL EDITOR PAGER DISPLAY MAIL ROLE ROLES TZ TMPDIR TEMP INIT_CWD NODE NODE_OPTIONS NODE_PATH NODE_VERSION YARN_VERSION
    NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE NODE_NO_WARNINGS NODE_TLS_REJECT_UNAUTHORIZED npm_config_cache npm_execpath npm_lifecycle_event
    npm_package_name npm_node_execpath npm_config_user_agent COLORTERM NO_COLOR FORCE_COLOR CI DEBUG HTTP_PROXY HTTPS_PROXY NO_PROXY
    http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID MAINPID NOTIFY_SOCKET
    LISTEN_FDS STATE_DIRECTORY LOGS_DIRECTORY CREDENTIALS_DIRECTORY MEMORY_PRESSURE_WATCH KUBERNETES_SERVICE_HOST KUBERNETES_PORT
    REDIS_PORT REDIS_HOST REDIS_TLS_URL REDIS_SERVICE_HOST SMTP_HOST SMTP_USER SMTP_USERNAME SMTP_PASSWORD SMTP_FROM HTTP_PORT HTTPS_PORT
    MAIL_HOST DB_HOST DB_PORT PGHOST PGPORT PGUSER PGPASSWORD PGDATA PGDATABASE POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD AWS_REGION
    AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE AWS_ENDPOINT AWS_ENDPOINT_URL AWS_ROLE_ARN
    AWS_WEB_IDENTITY_TOKEN_FILE AWS_EXECUTION_ENV ECS_CONTAINER_METADATA_URI S3_ENDPOINT S3_BUCKET STRIPE_API_KEY DYNO HEROKU_APP_NAME
    SOURCE_VERSION RENDER_SERVICE_ID FLY_APP_NAME FLY_REGION RAILWAY_ENVIRONMENT VERCEL_URL GITHUB_TOKEN GITHUB_REF SENTRY_DSN
    OTEL_EXPORTER_OTLP_ENDPOINT OTEL_SERVICE_NAME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK
    SSH_CONNECTION WSL_DISTRO_NAME SYSTEMROOT SYSTEMDRIVE APPDATA LOCALAPPDATA COMPUTERNAME PROGRAMDATA SUDO_USER SUDO_COMMAND WINDOWID
    LOG_FILE LOG_DIR DATA_PATH BASE_URL API_URL PUBLIC_DIR PUBLIC_IP JWT_SECRET SECRET_KEY COOKIE_SECRET SITE BIND UMASK PUID PGID`
  assert.deepEqual(meantBy(...usual.split(/\s+/)), [])
})
