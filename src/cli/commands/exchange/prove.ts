import type { Command } from 'commander';
import type { ProveCommandOptions } from '../../actions/prove.ts';
import { exchangeCommand } from '../../input/exchange-command.ts';

/** `touchline prove`: measures what the specification leaves open. */
export function proveCommand(): Command {
  return exchangeCommand(
    'prove',
    'measure with two resting orders what prices mean and what else the specification leaves open',
  )
    .option('--out <file>', 'write the page to this file instead of the terminal')
    .option('--live', 'allow real money; needs mode = "live" in the configuration as well')
    .action(async (options: ProveCommandOptions) =>
      (await import('../../actions/prove.ts')).runProve(options),
    );
}
