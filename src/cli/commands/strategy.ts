import process from 'node:process';
import { Command } from 'commander';
import { bundledStrategies, type DescribedStrategy } from '../../app/strategies/describe.ts';
import { renderTable } from '../output/output.ts';

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
const printJson = (value: unknown): void => print([JSON.stringify(value)]);

/** `touchline strategy`: the tools of those who write strategies. */
export function strategyCommand(): Command {
  return new Command('strategy')
    .description('list, test, check and begin strategies; needs neither daemon nor exchange')
    .addCommand(listCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list the bundled strategies with their parameters')
    .option('--json', 'as JSON')
    .action(async (options: { readonly json?: boolean }) => {
      const strategies = await bundledStrategies();
      if (options.json === true) printJson(strategies);
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
