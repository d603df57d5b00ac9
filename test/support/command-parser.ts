import type { Argument, Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';

/** The program with commands that only take their arguments. */
export async function commandParser(): Promise<Command> {
  const program = await createProgram();
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(program)) {
    if (command !== program) command.action(() => undefined);
    command.configureOutput({ writeErr: () => undefined });
  }
  return program;
}

const WORD = /"[^"]*"|[^\s"]+"?/g;
const ENDS_SENTENCE = /[,.;:)\]}'"\\]+$/;
/** What stands for an argument: capitals, a figure, a path or a quoted name. */
const ARGUMENT = /^(?:[A-Z][A-Z_-]+\b|["\d./])/;

/** The words of the command at the beginning of a text, up to the first word that belongs to the sentence around it. */
export function namedIn(text: string, program: Command): readonly string[] {
  const tokens = text.match(WORD) ?? [];
  const words: string[] = [];
  let command = program;
  let [isValue, free] = [false, 0];
  for (const token of tokens) {
    const isQuoted = token.startsWith('"') && token.endsWith('"');
    const word = isQuoted ? token.slice(1, -1) : token.replace(ENDS_SENTENCE, '');
    const below = command.commands.find((each) => each.name() === word);
    if (below !== undefined) command = below;
    else if (isValue) isValue = false;
    else if (word.startsWith('--')) isValue = takesValue(command, word);
    else if (isArgument(command.registeredArguments[free], token, word)) free++;
    else break;
    words.push(word);
    if (word !== token && !isQuoted) break;
  }
  return words;
}

const isArgument = (argument: Argument | undefined, token: string, word: string): boolean =>
  argument !== undefined && (ARGUMENT.test(token) || argument.argChoices?.includes(word) === true);

const takesValue = (command: Command, long: string): boolean =>
  command.options.find((option) => option.long === long)?.required === true;
