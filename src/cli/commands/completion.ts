import process from 'node:process';
import { Argument, Command } from 'commander';

/** The completions of one subcommand. */
interface Completable {
  readonly name: string;
  readonly description: string;
  /** Names of its own subcommands, and its long options. */
  readonly words: readonly string[];
  /** The commands below it. */
  readonly commands: readonly Completable[];
  readonly options: readonly { readonly long: string; readonly description: string }[];
}

type Shell = 'bash' | 'zsh' | 'fish';

const WRITERS: Readonly<Record<Shell, (commands: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `touchline completion SHELL`: prints a script for the shell, generated from the present commands. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description(
      'print a script that completes touchline’s commands, for example: source <(touchline completion bash)',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(WRITERS)))
    .action((shell: Shell) => {
      process.stdout.write(WRITERS[shell](program.commands.map(describe)));
    });
}

function describe(command: Command): Completable {
  const options = command.options.flatMap(({ long, description, hidden }) =>
    typeof long === 'string' && !hidden ? [{ long, description }] : [],
  );
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const names = command.commands.map((sub) => sub.name());
  const words = [...names, ...choices, ...options.map(({ long }) => long), '--help'];
  const commands = command.commands.map(describe);
  return { name: command.name(), description: command.description(), words, options, commands };
}

/** Each command that stands below another one, with the other's name. */
const nested = (commands: readonly Completable[]): readonly (readonly [group: string, Completable])[] =>
  commands.flatMap(({ name, commands: below }) => below.map((each) => [name, each] as const));

function bashScript(commands: readonly Completable[]): string {
  const cases = commands.map(({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`);
  const below = nested(commands).map(
    ([group, { name, words }]) => `    "${group} ${name}") words="${words.join(' ')}" ;;`,
  );
  return `_touchline() {
  local words="${commands.map(({ name }) => name).join(' ')}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" -gt 2 ] && case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${below.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _touchline touchline
`;
}

/** In single quotes, as zsh and fish read them. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", '’')}'`;

function zshScript(commands: readonly Completable[]): string {
  const names = commands.map(
    ({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(':', ' -')}`)}`,
  );
  const cases = commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`);
  const below = nested(commands).map(
    ([group, { name, words }]) => `    '${group} ${name}') compadd -- ${words.join(' ')}; return ;;`,
  );
  return `#compdef touchline
_touchline() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  (( CURRENT > 3 )) && case "$words[2] $words[3]" in
${below.join('\n')}
  esac
  case $words[2] in
${cases.join('\n')}
  esac
  _files
}
compdef _touchline touchline
`;
}

function fishScript(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ name, description, words, options }) => {
    const seen = `complete -c touchline -n '__fish_seen_subcommand_from ${name}'`;
    const plain = words.filter((word) => !word.startsWith('--'));
    return [
      `complete -c touchline -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      ...plain.map((word) => `${seen} -a ${word}`),
      ...options.map((option) => `${seen} -l ${option.long.slice(2)} -d ${quoted(option.description)}`),
    ];
  });
  const below = nested(commands).flatMap(([group, { name, options }]) => {
    const seen = `complete -c touchline -n '__fish_seen_subcommand_from ${group}; and __fish_seen_subcommand_from ${name}'`;
    return options.map((option) => `${seen} -l ${option.long.slice(2)} -d ${quoted(option.description)}`);
  });
  return `${[...lines, ...below].join('\n')}\n`;
}
