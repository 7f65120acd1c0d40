// A plugin of Haraka, which plays the mail server that `peer.ts` describes. Its settings are in the environment.
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')

const { PEER_KEPT: kept, PEER_NEXT: next, PEER_RETURNS: returns } = process.env
const portOf = { 'haraka.test': Number(next), ...JSON.parse(returns) }
let count = 0

const nameOf = (rcpt) => rcpt.user.split('.')[0]

exports.register = function () {
  this.register_hook('rcpt', 'answer_recipient')
  this.register_hook('data_post', 'answer_text')
  this.register_hook('queue', 'keep')
  this.register_hook('get_mx', 'find_next')
}

exports.answer_recipient = (go, _connection, [rcpt]) => {
  const name = nameOf(rcpt)
  if (name === 'nobody') return go(DENY, 'no such mailbox')
  if (name === 'later') return go(DENYSOFT, 'come again')
  go(OK)
}

/** What is relayed goes to Haraka's own outbound queue. */
exports.answer_text = (go, connection) => {
  const { transaction } = connection
  if (transaction.rcpt_to.some((rcpt) => nameOf(rcpt) === 'spam')) return go(DENY, 'looks like spam')
  connection.relaying = transaction.rcpt_to.some((rcpt) => nameOf(rcpt) === 'gone')
  go()
}

exports.keep = (go, { transaction }) => {
  transaction.message_stream.get_data((text) => {
    writeFileSync(join(kept, String(count++)), text)
    go(OK)
  })
}

exports.find_next = (go, _item, domain) => {
  go(OK, { priority: 0, exchange: '127.0.0.1', bind_helo: 'mx.haraka.test', port: portOf[domain] ?? Number(next) })
}
