/**
 * Completions for bash, zsh and fish, made from the commands. Each script finds the command that stands before the
 * cursor and offers its subcommands, its options and the choices of an option or argument, and where a run of the agent
 * is meant those of this folder; what it knows nothing of is a file.
 */
import { singleQuoted } from '../../../core/shell-text.ts';
import { onOneLine } from '../../../core/sentence.ts';
import type { CommandEntry } from './command-tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, entries: readonly CommandEntry[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(entries);
    case 'zsh':
      return zshScript(entries);
    case 'fish':
      return fishScript(entries);
  }
}

const HEAD = '# Made by `quod completions`; the commands are those of the Quod that made it.';

/** `case` of bash and zsh on two variables: walks from word to word, and knows the paths that are commands. */
function knownPaths(entries: readonly CommandEntry[]): string {
  return entries
    .filter(({ path }) => path.includes(' '))
    .map(({ path }) => singleQuoted(path))
    .join('|');
}

/**
 * Prints the runs of this folder, the newest first, for bash and zsh. A folder may be a stranger's, and bash expands the
 * words that it offers: a name that has other characters than those of runs is left out.
 * @param glob what stands behind a pattern that may match nothing.
 */
function runsFunction(glob: '' | '(N)'): string {
  return `_quod_runs() {
  local log name runs=''
  for log in "\${QUOD_RUNS:-.quod/runs}"/*/events.jsonl${glob}; do
    name=\${log%/events.jsonl}
    name=\${name##*/}
    case "$name" in
      (*[!A-Za-z0-9_.-]*) ;;
      (*) runs="$name $runs" ;;
    esac
  done
  [ -z "$runs" ] || printf '%s' "last $runs"
}`;
}

function bashScript(entries: readonly CommandEntry[]): string {
  return `${HEAD}
${runsFunction('')}
_quod() {
  local at=quod words='' index
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${knownPaths(entries)}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at $previous" in
${choiceCases(entries, (choices) => `words=${singleQuoted(choices.join(' '))}`)}
    *) case "$at" in
${entries.map(({ path, options, subcommands, choices, takesRun }) => `      ${singleQuoted(path)}) words=${takesRun ? '"$(_quod_runs) "' : ''}${singleQuoted([...subcommands.map(nameOf), ...choices, ...options.map(nameOf)].join(' '))} ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _quod quod
`;
}

function zshScript(entries: readonly CommandEntry[]): string {
  const described = (values: readonly { readonly name: string; readonly text: string }[]): string =>
    values
      .map(({ name, text }) => singleQuoted(`${name.replaceAll(':', '\\:')}:${onOneLine(text)}`))
      .join(' ');
  return `#compdef quod
${HEAD}
${runsFunction('(N)')}
_quod() {
  local at=quod index runs=''
  local -a subcommands options choices
  for ((index = 2; index < CURRENT; index++)); do
    case "$at \${words[index]}" in
      (${knownPaths(entries)}) at="$at \${words[index]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${choiceCases(entries, (choices) => `compadd -- ${choices.map(singleQuoted).join(' ')}; return`, '(')}
  esac
  case "$at" in
${entries
  .map(
    ({ path, options, subcommands, choices, takesRun }) =>
      `    (${singleQuoted(path)})${takesRun ? ' runs=$(_quod_runs)' : ''} choices=(${choices.map(singleQuoted).join(' ')}) subcommands=(${described(subcommands.map(({ name, summary }) => ({ name, text: summary })))}) options=(${described(options.map(({ name, description }) => ({ name, text: description })))}) ;;`,
  )
  .join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option options
  else
    (( \${#choices} )) && compadd -- $choices
    [[ -n $runs ]] && compadd -V runs -- \${=runs}
    (( \${#subcommands} )) && _describe command subcommands
    _files
  fi
}
if [ "$funcstack[1]" = _quod ]; then _quod; else compdef _quod quod; fi
`;
}

function fishScript(entries: readonly CommandEntry[]): string {
  const line = (path: string, rest: string): string =>
    `complete -c quod -n ${singleQuoted(`__quod_at "${path}"`)} ${rest}`;
  return `${HEAD}
function __quod_at
    set -l at quod
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${entries
              .filter(({ path }) => path.includes(' '))
              .map(({ path }) => singleQuoted(path))
              .join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
function __quod_runs
    set -l folder .quod/runs
    test -n "$QUOD_RUNS"; and set folder $QUOD_RUNS
    set -l names
    for log in $folder/*/events.jsonl
        set -p names (string match -r '(?<=/)[A-Za-z0-9_.-]+(?=/events\\.jsonl$)' -- $log)
    end
    test -n "$names"; and printf '%s\\n' last $names
end
${entries
  .flatMap(({ path, options, subcommands, choices, takesRun }) => [
    ...(takesRun ? [line(path, "-f -k -a '(__quod_runs)'")] : []),
    ...(choices.length === 0 ? [] : [line(path, `-f -a ${singleQuoted(choices.join(' '))}`)]),
    ...subcommands.map(({ name, summary }) =>
      line(path, `-a ${singleQuoted(name)} -d ${singleQuoted(onOneLine(summary))}`),
    ),
    ...options.map(({ name, description, choices, flags }) => {
      const value =
        choices === undefined
          ? /[<[]/.test(flags)
            ? ' -r'
            : ''
          : ` -x -a ${singleQuoted(choices.join(' '))}`;
      return line(
        path,
        `-l ${singleQuoted(name.replace(/^--/, ''))}${value} -d ${singleQuoted(onOneLine(description))}`,
      );
    }),
  ])
  .join('\n')}
`;
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function choiceCases(
  entries: readonly CommandEntry[],
  then: (choices: readonly string[]) => string,
  open = '',
): string {
  return entries
    .flatMap(({ path, options }) =>
      options.flatMap(({ name, choices }) =>
        choices === undefined ? [] : [`    ${open}${singleQuoted(`${path} ${name}`)}) ${then(choices)} ;;`],
      ),
    )
    .join('\n');
}

/** A word of any of the three shells that stands for itself. */
