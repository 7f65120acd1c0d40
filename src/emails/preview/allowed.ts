const list = (names: string) => new Set(names.split(/\s+/))

/** The elements that a preview shows. Of all others only the text is kept. */
export const shownElements = list(
  `a abbr acronym address area article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del
   details dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i img ins
   kbd legend li main map mark menu nav ol p pre q rp rt ruby s samp section small span strike strong style sub summary sup
   table tbody td tfoot th thead time tr tt u ul var wbr`,
)

/** Elements whose text is not part of the document. A `style` is shown, with its text as a style sheet. */
export const droppedTexts = list('script title iframe noembed noframes')

export const voidElements = list('area br col hr img wbr')

/** Attributes of any element. Addresses and styles are checked as well. */
export const shownAttributes = list(
  `abbr align alt background bgcolor border cellpadding cellspacing class clear color cols colspan compact coords datetime dir
   face frame headers height href hspace id lang name noshade nowrap open role rowspan rules scope shape size span src srcset
   start style summary title type usemap valign value vspace width`,
)
