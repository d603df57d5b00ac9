import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { loadConfig } from '../../app/config/load.ts';
import { validateConfig } from '../../app/config/validate.ts';
import { type Answers, draftOf, QUESTIONS, writeDraft } from '../../app/first-steps/draft-config.ts';
import { TouchlineError } from '../../domain/errors.ts';

interface InitOptions {
  readonly yes?: boolean;
}

/** `touchline init`: asks for a few settings, and writes a configuration with small limits. */
export function initCommand(): Command {
  return new Command('init')
    .description('ask for a few settings, and write a configuration with small limits')
    .argument('[folder]', 'where touchline.toml and live.toml go', '.')
    .option('-y, --yes', 'ask nothing: take the suggested answers')
    .action(async (folder: string, options: InitOptions) => {
      const draft = draftOf(options.yes === true ? SUGGESTED : await asked());
      const files = writeDraft(folder, draft);
      await validateConfig(loadConfig({ files: [files.common], environment: {}, settings: {} }));
      await validateConfig(loadConfig({ files: [files.common, files.live], environment: {}, settings: {} }));
      for (const line of nextSteps(files)) process.stdout.write(`${line}\n`);
    });
}

const SUGGESTED = Object.fromEntries(QUESTIONS.map(({ key, fallback }) => [key, fallback])) as Record<
  keyof Answers,
  string
>;

/** Asks on the terminal. Throws TouchlineError `usage` without one. */
async function asked(): Promise<Answers> {
  if (!process.stdin.isTTY)
    throw new TouchlineError('usage', 'init asks on a terminal: with --yes it takes the suggested answers');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Partial<Record<keyof Answers, string>> = {};
  for (const { key, text, fallback } of QUESTIONS)
    answers[key] = (await terminal.question(`${text} [${fallback}]: `)).trim() || fallback;
  terminal.close();
  return { ...SUGGESTED, ...answers };
}

const nextSteps = ({
  common,
  live,
}: {
  readonly common: string;
  readonly live: string;
}): readonly string[] => [
  `wrote ${common} and ${live}; next:`,
  `  touchline start --config ${common}                          rehearse on the embedded exchange`,
  `  touchline doctor --config ${common} --config ${live}        check key, exchange and journal`,
  `  touchline run --live --config ${common} --config ${live}    trade real money`,
];
