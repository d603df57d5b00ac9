import path from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { checkStrategy } from '../../app/strategies/check/check.ts';
import type { CheckFinding } from '../../app/strategies/check/finding.ts';
import { bundledStrategies, type DescribedStrategy } from '../../app/strategies/describe.ts';
import { strategyFileNamed } from '../../app/strategies/load.ts';
import { writeStrategy } from '../../app/strategies/new/new-strategy.ts';
import { playEach, SCENARIOS, scenariosNamed } from '../../app/strategies/scenarios.ts';
import { collectParameters, parseInteger } from '../input/arguments.ts';
import { several } from '../input/values.ts';
import { jsonText, renderTable } from '../output/output.ts';
import { detailsOf, jsonOfScenario, rowOf } from '../output/scenario-view.ts';

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
    .action((name: string, { stream, dir = name }: NewOptions) => {
      const form = stream === true ? 'stream' : 'pure';
      const { folder, files, isInstalled } = writeStrategy({ name, folder: path.resolve(dir), form });
      print(files.map((file) => path.relative(process.cwd(), path.join(folder, file))));
      const install = isInstalled ? '' : 'npm install && ';
      process.stderr.write(`next: cd ${path.relative(process.cwd(), folder) || '.'} && ${install}npm test\n`);
    });
}

type Parameters = Readonly<Record<string, unknown>>;

interface PlayOptions extends JsonOption {
  readonly param?: Parameters;
  readonly scenario?: readonly string[];
}

const SCENARIO_NAMES = SCENARIOS.map(({ name }) => name).join(', ');

const forStrategy = (command: Command): Command =>
  command
    .argument(
      '<strategy>',
      'a file (anything with a / or a file extension), or the name of a bundled strategy',
    )
    .option('--param <key=value>', 'a parameter of the strategy; repeatable', collectParameters)
    .option('--scenario <name>', `play only this scenario, of ${SCENARIO_NAMES}; repeatable`, several(String))
    .option('--json', 'print JSON');

function checkCommand(): Command {
  const command = new Command('check').description(
    'check contract, parameters, types, answers, real time, determinism, restarts and speed; exit code 1 at a fault',
  );
  return forStrategy(command).action(async (strategy: string, { param, scenario, json }: PlayOptions) => {
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
      const scenarios = scenariosNamed(scenario);
      const { strategy, folder } = await strategyFileNamed(specifier);
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
