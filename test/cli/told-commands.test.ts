import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandParser, namedIn } from '../support/command-parser.ts';
import { PROJECT_ROOT } from '../support/process.ts';

/** Sources and configuration have the words of notifications, pages, log lines and errors; these pages tell what to do then. */
const ADVICE = [
  ...globSync(['src/**/*.{ts,tsx}', '{config,strategies,systemd,observability}/**/*.*'], {
    cwd: PROJECT_ROOT,
  }),
  'docs/runbook.md',
  'docs/logs.md',
  'docs/reference/notifications.md',
];

/** Pages that may speak of a command, or of one of its options, alone. */
const PAGES = ['README.md', 'PACKAGE.md', ...globSync('docs/**/*.md', { cwd: PROJECT_ROOT })].filter(
  (page) => !ADVICE.includes(page),
);

const COMMENT = /\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm;
const COMMAND = /(?<![\w./-])touchline +([a-z][^`<\n]*)/g;
/** Words that follow the name of the program, and are no command. */
const VERB = /^(?:ends with|touchline|kill file)\b/;

const PROGRAM = await commandParser();

/** Every command that a file names. What a template fills in counts as an argument. */
const namedBy = (file: string): readonly { readonly file: string; readonly text: string }[] => {
  const source = readFileSync(join(PROJECT_ROOT, file), 'utf8');
  const text = (/\.tsx?$/.test(file) ? source.replaceAll(COMMENT, '') : source).replaceAll('\\"', '"');
  return Array.from(
    text
      .replaceAll(/(?<=\w)\$\{[^{}]*\}/g, '')
      .replaceAll(/\$\{[^{}]*\}/g, 'FILLED')
      .matchAll(COMMAND),
    ([, rest = '']) => ({
      file,
      text: rest.trim(),
    }),
  ).filter(({ text: command }) => !VERB.test(command));
};

/** The fault of a command as it is typed; null if it has none. What stands for a value is not judged as one. */
async function faultOf(words: readonly string[]): Promise<CommanderError | null> {
  try {
    await PROGRAM.parseAsync(['node', 'touchline', ...words]);
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const standsFor =
      error.code === 'commander.invalidArgument' && words.some((word) => /[A-Z]{2}/.test(word));
    return standsFor ? null : error;
  }
}

describe('commands that a person is told to type', () => {
  const told = ADVICE.flatMap(namedBy);

  it('are many', () => expect(told.length).toBeGreaterThan(80));

  it.each(told)('work as they are written: $file, $text', async ({ text }) => {
    const words = namedIn(text, PROGRAM);
    expect(words.length).toBeGreaterThan(0);
    await expect(faultOf(words)).resolves.toBeNull();
  });

  it.each(PAGES.flatMap(namedBy))('exist: $file, $text', async ({ text }) => {
    const words = namedIn(text, PROGRAM);
    expect(words.length).toBeGreaterThan(0);
    const fault = await faultOf(words);
    expect(fault?.code ?? '').not.toMatch(/unknown|excess/);
  });
});
