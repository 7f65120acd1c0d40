import type { Call } from '../call.ts'
import { usageFailure } from '../failure.ts'

/** Writes the script that makes a shell complete commands and flags. */
export async function completion(call: Call): Promise<undefined> {
  const [shell = ''] = call.words
  const script = Object.hasOwn(scripts, shell) ? scripts[shell]! : refuseShell(shell)
  const text = script(await proposals(call))
  call.show({ shell, script: text }, () => text)
}

function refuseShell(shell: string): never {
  throw usageFailure(`The shell is ${Object.keys(scripts).join(', ')}; it was "${shell}".`)
}

/** After these words come these ones. `takesMore`: also after further words, as a command has arguments. */
type Proposal = { typed: string; next: string[]; takesMore: boolean }

async function proposals({ commands, io }: Call): Promise<Proposal[]> {
  const flagsOf = await commands()
  const names = new Set([...flagsOf.keys(), ...(await io.localNames())])
  const groups = new Map<string, Set<string>>()
  for (const name of names) {
    const words = name.split(' ')
    for (const [at, word] of words.entries()) {
      const typed = words.slice(0, at).join(' ')
      groups.set(typed, (groups.get(typed) ?? new Set()).add(word))
    }
  }
  const nouns = [...groups].map(([typed, next]) => ({ typed, next: [...next], takesMore: false }))
  const called = [...flagsOf].map(([name, flags]): Proposal => {
    return { typed: name, next: [...flags.map((flag) => `--${flag}`), '--help'], takesMore: true }
  })
  return [...nouns, ...called]
}

const scripts: Readonly<Record<string, (proposals: Proposal[]) => string>> = { bash, zsh, fish }

function bash(proposals: Proposal[]): string {
  return `# bash completion of posthorn: source <(posthorn completion bash)
_posthorn() {
  local typed='' next='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    typed+="\${typed:+ }$word"
  done
  case "$typed" in
${cases(proposals)}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _posthorn posthorn
`
}

function zsh(proposals: Proposal[]): string {
  return `#compdef posthorn
# zsh completion of posthorn: source <(posthorn completion zsh)
_posthorn() {
  local typed='' next='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    typed+="\${typed:+ }$word"
  done
  case "$typed" in
${cases(proposals)}
  esac
  compadd -- \${=next}
}
compdef _posthorn posthorn
`
}

function cases(proposals: Proposal[]): string {
  return proposals
    .map(
      ({ typed, next, takesMore }) => `    '${typed}'${takesMore ? `|'${typed} '*` : ''}) next='${next.join(' ')}' ;;`,
    )
    .join('\n')
}

function fish(proposals: Proposal[]): string {
  const lines = proposals.map(({ typed, next, takesMore }) => {
    return `    case '${typed}'${takesMore ? ` '${typed} *'` : ''}\n      string split ' ' -- '${next.join(' ')}'`
  })
  return `# fish completion of posthorn: posthorn completion fish | source
function __posthorn_next
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    set -a typed $word
  end
  switch "$typed"
${lines.join('\n')}
  end
end
complete -c posthorn -f -a '(__posthorn_next)'
`
}
