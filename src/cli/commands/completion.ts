import process from 'node:process';
import { Argument, Command } from 'commander';

/** The completions of one subcommand. */
interface Completable {
  readonly name: string;
  readonly description: string;
  /** Names of its own subcommands, and its long options. */
  readonly words: readonly string[];
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
  const options = command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ long, description }] : [],
  );
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const names = command.commands.map((sub) => sub.name());
  const words = [...names, ...choices, ...options.map(({ long }) => long), '--help'];
  return { name: command.name(), description: command.description(), words, options };
}

function bashScript(commands: readonly Completable[]): string {
  const cases = commands.map(({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`);
  return `_touchline() {
  local words="${commands.map(({ name }) => name).join(' ')}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
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
  return `#compdef touchline
_touchline() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
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
  return `${lines.join('\n')}\n`;
}
