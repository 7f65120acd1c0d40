import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export type Language = 'html' | 'json' | 'javascript' | 'text'

export type EditorOptions = {
  label: string
  describedBy: string | undefined
  language: Language
  value: string
  isReadOnly: boolean
  onChange: (value: string) => void
}

const languages: Record<Language, () => Extension> = {
  html: () => html({ matchClosingTags: true, autoCloseTags: true }),
  json: () => json(),
  javascript: () => javascript(),
  text: () => [],
}

/** Makes an editor in a shadow root: elsewhere CodeMirror writes `<style>`, which the page's policy forbids. */
export function openEditor(host: HTMLElement, options: EditorOptions) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const access = new Compartment()
  const accessOf = (isReadOnly: boolean) => [EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        // Tab leaves the editor, so that the keyboard is never caught in it.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        languages[options.language](),
        syntaxHighlighting(colours),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': options.label,
          ...(options.describedBy && { 'aria-description': options.describedBy }),
        }),
        access.of(accessOf(options.isReadOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    setValue(value: string) {
      const now = view.state.doc.toString()
      if (now !== value) view.dispatch({ changes: { from: 0, to: now.length, insert: value } })
    },
    setReadOnly: (isReadOnly: boolean) => view.dispatch({ effects: access.reconfigure(accessOf(isReadOnly)) }),
    insert: (text: string) => view.dispatch(view.state.replaceSelection(text)),
    /** The text of the line before the cursor. */
    textBefore() {
      const { head } = view.state.selection.main
      return view.state.sliceDoc(view.state.doc.lineAt(head).from, head)
    },
    /** Replaces so many characters before the cursor, which stands behind the new text then. */
    replaceBefore(count: number, text: string) {
      const { head } = view.state.selection.main
      const from = Math.max(0, head - count)
      view.dispatch({ changes: { from, to: head, insert: text }, selection: { anchor: from + text.length } })
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}
export type Editor = ReturnType<typeof openEditor>

/** The page's custom properties reach into the shadow root. */
const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', height: '100%', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--brass) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--brass) 28%, transparent)',
  },
  '.cm-matchingBracket': { outline: '1px solid var(--edge)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword], color: 'var(--blue)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--purple)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--green)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--amber)' },
  { tag: tags.comment, color: 'var(--muted)' },
])
