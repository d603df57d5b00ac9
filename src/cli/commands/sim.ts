import process from 'node:process';
import { Command, Option } from 'commander';
import type { SimulatorRun } from '../../app/run/run-simulated.ts';
import {
  type ExchangeChoices,
  exchangeSettingsOf,
  LIMIT_READINGS,
} from '../../app/simulated/exchange-choices.ts';
import { PRICE_CONVENTIONS } from '../../domain/odds.ts';
import {
  checkFeed,
  type FeedChoice,
  feedFromOption,
  feedOption,
  parseFromZero,
  parseInteger,
  parsePositive,
  parseText,
} from '../input/arguments.ts';
import { several } from '../input/values.ts';

interface SimOptions extends ExchangeChoices {
  readonly port: number;
  readonly seed: number;
  readonly speed: number;
  readonly key?: readonly string[];
  readonly accounts?: string;
  readonly faults?: string;
  readonly feed: FeedChoice;
  readonly feedFrom?: number;
  readonly makerMinimums?: number;
}

const cap = parseInteger(1, 1_000_000);

/** `touchline sim`: runs the embedded exchange alone, for any client. */
export function simCommand(): Command {
  return new Command('sim')
    .description(
      'run the embedded exchange alone on loopback; prints one JSON line with its addresses when ready',
    )
    .option('--port <n>', 'port of REST and stream; 0: any', parseInteger(0, 65535), 0)
    .option('--seed <n>', 'seed of the modelled market', parseInteger(0, 2 ** 31 - 1), 1)
    .option('--speed <n>', 'the market runs this many times faster', parsePositive, 1)
    .option(
      '--key <key>',
      'accept this API key, one account each; repeatable (default: sim-key)',
      several(parseText),
    )
    .addOption(
      new Option(
        '--accounts <file>',
        'the customers, as JSON: several keys each, balances, sports',
      ).conflicts('key'),
    )
    .option('--faults <file>', 'what goes wrong and when, as JSON')
    .addOption(feedOption())
    .addOption(feedFromOption())
    .addOption(
      new Option(
        '--against-prices <kind>',
        'what prices of `against` markets are; a recorded market keeps lay prices',
      ).choices(PRICE_CONVENTIONS),
    )
    .option('--open-betslips <n>', 'open betslips that an account may have', cap)
    .option('--registered-events <n>', 'events that an account may register', cap)
    .option('--event-stake-limit <n>', 'stake that an account may have on one event, USDT', parsePositive)
    .option('--min-order-stake <usdt>', 'orders of less are refused; 0: none is (default: 1)', parseFromZero)
    .option(
      '--maker-minimums <times>',
      'makers of the modelled market take bets of this many times their usual least stakes; 0: of any (default: 1)',
      parseFromZero,
    )
    .option(
      '--placement-delay <times>',
      'orders take this many times as long as usual to be placed; 0: no time (default: 1)',
      parseFromZero,
    )
    .addOption(
      new Option('--limits <reading>', 'how request limits are read that can be read in two ways')
        .choices(LIMIT_READINGS)
        .default('strict'),
    )
    .option('--unix-timestamps', 'send Unix numbers where the stream carries times')
    .action(async (options: SimOptions) => {
      checkFeed(options);
      const { runSimulator } = await import('../../app/run/run-simulated.ts');
      process.exitCode = await runSimulator(await choiceOf(options), (line) =>
        process.stdout.write(line + '\n'),
      );
    });
}

/** Balance of each account in USDT: enough for any experiment. */
const BALANCE_USDT = 100_000;

async function choiceOf(options: SimOptions): Promise<SimulatorRun> {
  const { accountsOf, loadAccounts, loadFaults } = await import('../../app/simulated/simulation.ts');
  const { openLog } = await import('../output/log-stream.ts');
  const { port, seed, speed, feed, accounts, faults, key = ['sim-key'] } = options;
  return {
    port,
    seed,
    speed,
    feed,
    feedFromMs: options.feedFrom ?? null,
    accounts: accounts === undefined ? accountsOf(key, BALANCE_USDT) : loadAccounts(accounts),
    faults: faults === undefined ? [] : loadFaults(faults),
    settings: exchangeSettingsOf(options),
    ...(options.makerMinimums === undefined ? {} : { makerMinimums: options.makerMinimums }),
    logger: await openLog('warn', process.stderr),
  };
}
