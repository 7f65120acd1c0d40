/**
 * Words of servers and of automatic replies, in the languages of the large mail programs. A code is the same in all
 * languages, but only such words tell whether a number is one.
 */

const failures = [
  /\b(fail(s|ed|ure|ures|ing)?|undeliver\w*|reject\w*|refused|bounced?|no such|unknown|not found|giv(e|en|ing) up)\b/,
  /(\bnot|n't|\bcannot|\bunable to) (yet )?(be |been |being |able to )?(deliver|sen[dt]|reach|accept|exist)/,
  /\b(returned (mail|to sender)|returning (your )?(mail|message)|(fatal|permanent) error|over quota|quota exceeded)\b/,
  /\bmailbox (is )?(full|unavailable|disabled|inactive)\b/,
  /\bunzustellbar|\bnicht (zugestellt|zustellbar|ausgeliefert|zustellen)|\b(fehlgeschlagen|abgelehnt|unbekannt)/,
  /\bZustell(ung)?s?fehler|\bZustellung .{0,40}(gescheitert|nicht möglich)/,
  /\bnon[- ](remis|remise|distribu|délivr|livré)|pas pu être (remis|distribué|délivré|livré|envoyé)|échec|échoué|inconnue?\b/,
  /\bno (se )?(pudo|ha podido|puede) (ser )?entreg|\bno entregad|\berror de entrega|\brechazad|\bdesconocid|\bdevuelto\b/,
  /\bmancat[ao] (recapito|consegna)|\bnon (recapitat|consegnat|recapitabile)|\bimpossibile (recapitare|consegnare)|sconosciut/,
  /\bnão (foi possível |pôde |pode )?(ser )?entreg|\bfalha (na|de) entrega|\brejeitad|\bdesconhecid/,
  /\bonbestelbaar|\bniet (worden )?(afgeleverd|bezorgd|afleveren|bezorgen)|\bmislukt|\bonbekend|\bgeweigerd/,
  /(inte|ikke) (kunde |kunne )?(lever|afleveres|sendes)|\bolevererbar|\bmislyk|\b(okänd|ukendt|ukjent)/,
  /\bnie (można|udało się) dostarczyć|niedostarczon|niedoręczon|nieznan|nedoručiteln|kézbesíthetetlen|teslim edileme/,
  /не (может быть|была?|удалось|удаётся|удается) достав|недоставлен|ошибка доставки|отклонен|неизвест/,
  /配信(不能|できません|に失敗|エラー)|届けられません|送信できません|存在しません/,
  /退信|[无無]法(投[递遞]|送[达達]|[传傳][递遞])|投[递遞]失[败敗]|不存在|배달(되지|할 수 없| ?실패)|전송 실패/,
]
export const failureWords = anyOf(failures)

export const warningWords = anyOf([
  /\b(delayed|still (being )?tr(y|ied)|will (continue|keep|be retried))\b|\bwarning: (could|message|mail)\b/,
  /\bverzögert|\bnoch nicht (zugestellt|ausgeliefert)|\bretardé|\bdifféré|pas encore (été )?(remis|distribué|délivré)/,
  /\bretrasad|\bdemorad|\britardat|\batrasad|\bvertraagd|\bförsena|\bforsinke|\bopóźnion|задерж|遅延|延[迟遲]|지연/,
])

/** Notices about a message that was held or answered, which may use words of a failure. */
export const noticeWords = anyOf([
  /\b(quarantin\w*|out of (the )?office|on vacation|successfully delivered)\b/,
  /\bQuarantäne|\bquarantaine|\bcuarentena|\bquarantena|\bquarentena|карантин|隔[离離]|격리/,
  /\berfolgreich zugestellt|\bnicht im (Büro|Haus|Hause)\b|\baußer Haus|\bim Urlaub\b|\ben (congés?|vacances)\b/,
  /\bfuera de la oficina|\bde vacaciones|\bfuori (ufficio|sede)|\bin ferie|\bfora do escritório|\bde férias|\bmet vakantie/,
  /не в офисе|в отпуске|不在|休暇|休假|외출|휴가/,
])

/** The beginnings of subjects of a person's own automatic reply. Bounces quote a subject behind their own words. */
const awayBeginnings = [
  /auto(matic|matical)?[- ]?(reply|response)|out of (the )?office|vacation|away\b|absen(ce|t)/,
  /autom[^ ]* ?(antwort|vastaus|odpověď|válasz|svar)|abwesen|außer haus|urlaub|nicht im (büro|haus)/,
  /réponse automatique|réponse d['’]absence|en (congés?|vacances)|respuesta autom|fuera de|ausen(te|cia)|de vacaciones/,
  /risposta autom|fuori (ufficio|sede)|assen(te|za)|in ferie|resposta autom|fora do|(de )?férias/,
  /automatisch antwoord|afwezig|autosvar|automatiskt? (svar|besked)|frånvar|fravær|odpowiedź autom|autoodpow|nieobecn/,
  /otomatik (yanıt|cevap)|автоматическ[^ ]* ответ|автоответ|отсутств|в отпуске/,
  /自動(応答|返信|回覆|回复)|自动(答复|回复)|不在|休暇|外出|休假|자동 ?(회신|응답)|부재/,
]
export const awaySubject = new RegExp(
  `^(?:(?:re|aw|sv|antw|rv|回复|答复) ?[:：] *)*(?:${awayBeginnings.map(({ source }) => source).join('|')})`,
  'iu',
)

/** `\b` knows ASCII letters only, so it is replaced by one that knows all of them. */
function anyOf(words: RegExp[]): RegExp {
  const letter = String.raw`[\p{L}\p{N}_]`
  const edge = `(?:(?<!${letter})(?=${letter})|(?<=${letter})(?!${letter}))`
  return new RegExp(words.map(({ source }) => source.replaceAll(String.raw`\b`, edge)).join('|'), 'iu')
}
