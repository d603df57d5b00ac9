import path from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import type { CheckFinding } from '../../app/strategies/check/finding.ts';
import type { DescribedStrategy } from '../../app/strategies/describe.ts';
import { SCENARIO_NAMES } from '../../app/strategies/scenario-names.ts';
import { collectParameters, parseInteger } from '../input/arguments.ts';
import { several } from '../input/values.ts';
import { jsonText, renderTable } from '../output/output.ts';

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
const printJson = (value: unknown): void => print([jsonText(value)]);

/** `touchline strategy`: the tools of those who write strategies. */
export function strategyCommand(): Command {
  return new Command('strategy')
    .description('list, write, check and test strategies; needs neither daemon nor exchange')
    .addCommand(listCommand())
    .addCommand(newCommand())
    .addCommand(checkCommand())
    .addCommand(testCommand());
}

interface JsonOption {
  readonly json?: boolean;
}

function listCommand(): Command {
  return new Command('list')
    .description('list the bundled strategies with their parameters')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      const { bundledStrategies } = await import('../../app/strategies/describe.ts');
      const strategies = await bundledStrategies();
      if (json === true) printJson(strategies);
      else print(strategies.flatMap(described));
    });
}

function described({ name, form, description, parameters }: DescribedStrategy): string[] {
  const rows = parameters.map((parameter) => ({
    parameter: parameter.name,
    default: parameter.default,
    type: parameter.type,
    meaning: parameter.meaning,
  }));
  return [`${name} (${form}): ${description}`, ...renderTable(rows).map((line) => `  ${line}`), ''];
}

interface NewOptions {
  readonly stream?: boolean;
  readonly dir?: string;
}

function newCommand(): Command {
  return new Command('new')
    .description('write a folder with a strategy, its test and its package; the test passes at once')
    .argument('<name>', 'name of the strategy: lower-case letters, digits and hyphens')
    .option('--stream', 'write the stream form, which may remember and wait')
    .option('--dir <folder>', 'the folder to write (default: the name, in the working directory)')
    .action(async (name: string, { stream, dir = name }: NewOptions) => {
      const { writeStrategy } = await import('../../app/strategies/new/new-strategy.ts');
      const form = stream === true ? 'stream' : 'pure';
      const { folder, files, isInstalled } = writeStrategy({ name, folder: path.resolve(dir), form });
      print(files.map((file) => path.relative(process.cwd(), path.join(folder, file))));
      const install = isInstalled ? '' : 'npm install && ';
      process.stderr.write(
        `next: (cd ${path.relative(process.cwd(), folder) || '.'} && ${install}npm test)\n`,
      );
    });
}

type Parameters = Readonly<Record<string, unknown>>;

interface PlayOptions extends JsonOption {
  readonly param?: Parameters;
  readonly scenario?: readonly string[];
}

const forStrategy = (command: Command): Command =>
  command
    .argument(
      '<strategy>',
      'a file (anything with a / or a file extension), or the name of a bundled strategy',
    )
    .option('--param <key=value>', 'a parameter of the strategy; repeatable', collectParameters)
    .option(
      '--scenario <name>',
      `play only this scenario, of ${SCENARIO_NAMES.join(', ')}; repeatable`,
      several(String),
    )
    .option('--json', 'print JSON');

function checkCommand(): Command {
  const command = new Command('check').description(
    'check contract, parameters, types, answers, real time, determinism, restarts and speed; exit code 1 at a fault',
  );
  return forStrategy(command).action(async (strategy: string, { param, scenario, json }: PlayOptions) => {
    const { checkStrategy } = await import('../../app/strategies/check/check.ts');
    const { scenariosNamed } = await import('../../app/strategies/scenarios.ts');
    const options = { parameters: param ?? {}, scenarios: scenariosNamed(scenario) };
    const findings: CheckFinding[] = [];
    for await (const finding of checkStrategy(strategy, options)) {
      findings.push(finding);
      if (json !== true) print(linesOf(finding));
    }
    if (json === true) printJson(findings);
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1;
  });
}

const STATES = { ok: 'ok  ', warning: 'warn', fault: 'FAIL', skipped: 'skip' };
const CHECK_WIDTH = 12;
/** Advice is indented below what was found. */
const BELOW = ' '.repeat(CHECK_WIDTH + 6);

function linesOf({ check, state, found, where, advice }: CheckFinding): string[] {
  const place = where === null ? '' : `${where}: `;
  const line = `${STATES[state]} ${check.padEnd(CHECK_WIDTH)} ${place}${found.replaceAll('\n', `\n${BELOW}`)}`;
  return advice === null ? [line] : [line, `${BELOW}→ ${advice}`];
}

interface TestOptions extends PlayOptions {
  readonly seed: number;
}

function testCommand(): Command {
  const command = new Command('test').description(
    'play scripted matches with the strategy and print what it did; exit code 1 if it threw or its answers were invalid',
  );
  return forStrategy(command)
    .option('--seed <n>', 'seed of the market', parseInteger(0, 2 ** 31), 1)
    .action(async (specifier: string, { param, json, scenario, seed }: TestOptions) => {
      const { playEach, scenariosNamed } = await import('../../app/strategies/scenarios.ts');
      const { strategyToRun } = await import('../../app/strategies/load.ts');
      const { detailsOf, jsonOfScenario, rowOf } = await import('../output/scenario-view.ts');
      const scenarios = scenariosNamed(scenario);
      const { strategy, folder } = await strategyToRun(specifier);
      const results = [...playEach(strategy, scenarios, { parameters: param ?? {}, seed })];
      if (json === true) printJson(results.map((result) => jsonOfScenario(result, folder)));
      else
        print([
          ...renderTable(results.map(rowOf)),
          '',
          ...results.flatMap((result) => detailsOf(result, folder)),
        ]);
      if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
    });
}
