import { resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import type { Answers, Question, WrittenDraft } from '../../app/first-steps/draft-config.ts';
import { TouchlineError } from '../../domain/errors.ts';

interface InitOptions {
  readonly yes?: boolean;
  readonly paper?: boolean;
}

/** `touchline init`: asks for a few settings, and writes a configuration with small limits. */
export function initCommand(): Command {
  return new Command('init')
    .description('ask for a few settings, and write a configuration with small limits')
    .argument('[folder]', 'folder for touchline.toml, and live.toml or paper.toml', '.')
    .option('--paper', 'for paper: the prices of a real exchange, and no order there')
    .option('-y, --yes', 'ask nothing, and take the suggested answers')
    .action(async (folder: string, options: InitOptions) => {
      const { draftOf, newFiles, questionsFor, questionsOfSecond, writeDraft } =
        await import('../../app/first-steps/draft-config.ts');
      const { loadConfig } = await import('../../app/config/load.ts');
      const { validateConfig } = await import('../../app/config/validate.ts');
      const { ignoreInGit } = await import('../../app/first-steps/git-ignore.ts');
      const kind = options.paper === true ? 'paper' : 'live';
      // Before a person has answered for nothing.
      const { common, second, hasCommon } = newFiles(folder, kind);
      const checkCommon = () =>
        validateConfig(loadConfig({ files: [common], environment: {}, settings: {} }));
      if (hasCommon) await checkCommon();
      const questions = questionsFor(folder, kind);
      const open = hasCommon ? questionsOfSecond(questions) : questions;
      const answers = { ...suggested(questions), ...(options.yes === true ? {} : await asked(open)) };
      const files = writeDraft(folder, draftOf(answers, kind), kind);
      await checkCommon();
      await validateConfig(loadConfig({ files: [common, second], environment: {}, settings: {} }));
      const ignore = ignoreInGit(folder, answers);
      if (ignore !== null) process.stdout.write(`wrote ${ignore}, so that git leaves key and journal out\n`);
      const steps = kind === 'paper' ? paperSteps : liveSteps;
      for (const line of steps(files, resolve(answers.apiKeyFile))) process.stdout.write(`${line}\n`);
    });
}

const suggested = (questions: readonly Question[]): Answers =>
  Object.fromEntries(questions.map(({ key, fallback }) => [key, fallback])) as Record<keyof Answers, string>;

/** Asks on the terminal, each question until its answer can be used. Throws TouchlineError `usage` without a terminal. */
async function asked(questions: readonly Question[]): Promise<Partial<Answers>> {
  if (!process.stdin.isTTY)
    throw new TouchlineError('usage', 'init asks on a terminal: with --yes it takes the suggested answers');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Partial<Record<keyof Answers, string>> = {};
  try {
    for (const question of questions)
      answers[question.key] = await answerTo(question, answers, (text) => terminal.question(text));
  } catch (error) {
    // Ctrl-C or Ctrl-D.
    if (error instanceof Error && error.name === 'AbortError')
      throw new TouchlineError('cancelled', 'nothing was written');
    throw error;
  } finally {
    terminal.close();
  }
  return answers;
}

async function answerTo(
  { text, fallback, fault }: Question,
  earlier: Partial<Answers>,
  ask: (text: string) => Promise<string>,
): Promise<string> {
  for (;;) {
    const answer = (await ask(`${text} [${fallback}]: `)).trim() || fallback;
    const why = fault(answer, earlier);
    if (why === null) return answer;
    process.stderr.write(`  ${JSON.stringify(answer)} ${why}\n`);
  }
}

const wroteBoth = ({ common, second, hasCommon }: WrittenDraft, apiKeyFile: string): readonly string[] => [
  hasCommon ? `wrote ${second}, beside ${common} as it is; next:` : `wrote ${common} and ${second}; next:`,
  `  put the API key, and nothing else, into ${apiKeyFile}, which only you can read (chmod 600)`,
];

/** The steps of docs/first-order.md. */
const liveSteps = (files: WrittenDraft, apiKeyFile: string): readonly string[] => {
  const { common, second: live } = files;
  return [
    ...wroteBoth(files, apiKeyFile),
    `  touchline start --config ${common}    rehearse on the embedded exchange`,
    `  touchline doctor --config ${common} --config ${live}    check key, exchange and journal`,
    `  touchline prove --live --config ${common} --config ${live}    measure what the prices mean`,
    `  touchline smoke --max-loss 2 --live --config ${common} --config ${live}    place one order that nobody takes`,
    `  touchline run --live --config ${common} --config ${live}    trade real money`,
  ];
};

/** The steps of docs/going-live.md. */
const paperSteps = (files: WrittenDraft, apiKeyFile: string): readonly string[] => {
  const { common, second: paper } = files;
  return [
    ...wroteBoth(files, apiKeyFile),
    `  touchline start --config ${common}    rehearse on the embedded exchange`,
    `  touchline doctor --config ${common} --config ${paper}    check key, exchange and journal`,
    `  touchline start --config ${common} --config ${paper}    trade on paper, at the exchange's prices`,
  ];
};
