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
  const command = new Command('sim')
    .description(
      'run the embedded exchange alone on loopback; once ready, it prints its addresses as one line of JSON',
    )
    .option('--port <n>', 'port of REST and stream; 0: any', parseInteger(0, 65535), 0)
    .option('--seed <n>', 'seed of the modelled market', parseInteger(0, 2 ** 31 - 1), 1)
    .option('--speed <n>', 'run the market this many times faster', parsePositive, 1)
    .option(
      '--key <key>',
      'accept this API key; each key has an account of its own; repeatable (default: sim-key)',
      several(parseText),
    )
    .addOption(
      new Option(
        '--accounts <file>',
        'JSON file of the customers: their keys, balances and sports',
      ).conflicts('key'),
    )
    .option('--faults <file>', 'JSON file of the faults to inject, and when')
    .addOption(feedOption())
    .addOption(feedFromOption())
    .addOption(
      new Option(
        '--against-prices <kind>',
        'what prices of `against` markets are; a recorded market keeps lay prices',
      ).choices(PRICE_CONVENTIONS),
    );
  return withChoices(command)
    .option('--unix-timestamps', 'send the times of the stream as Unix seconds')
    .action(async (options: SimOptions) => {
      checkFeed(options);
      const { runSimulator } = await import('../../app/run/run-simulated.ts');
      process.exitCode = await runSimulator(await choiceOf(options), (line) =>
        process.stdout.write(line + '\n'),
      );
    });
}

/** Adds the limits, the times and the memory of the exchange. */
function withChoices(command: Command): Command {
  return command
    .option('--open-betslips <n>', 'most open betslips of an account', cap)
    .option('--registered-events <n>', 'most registered events of an account', cap)
    .option('--event-stake-limit <n>', 'most stake of an account on one event, in USDT', parsePositive)
    .option(
      '--min-order-stake <usdt>',
      'refuse orders below this stake; 0 accepts any (default: 1 USDT)',
      parseFromZero,
    )
    .option(
      '--maker-minimums <times>',
      'multiply the minimum stakes of the modelled market’s makers; 0 removes them (default: 1)',
      parseFromZero,
    )
    .option(
      '--placement-delay <times>',
      'multiply the usual placement delay; 0 places orders at once (default: 1)',
      parseFromZero,
    )
    .option(
      '--warm-up <seconds>',
      'answer market data with `warming` for this long after the start and a lost feed (default: 0)',
      parseFromZero,
    )
    .option(
      '--offers-lag <seconds>',
      'greatest age of the offers in GET /v2/offers/; 0 shows them live (default: 4)',
      parseFromZero,
    )
    .option(
      '--tracked-lookup <hours>',
      'find an order by its request_uuid for this long after its placement (default: 72)',
      parsePositive,
    )
    .option(
      '--order-memory <hours>',
      'show a closed order for this long after its last change (default: 72)',
      parsePositive,
    )
    .addOption(
      new Option('--limits <reading>', 'how to read the request limits that the specification leaves open')
        .choices(LIMIT_READINGS)
        .default('strict'),
    );
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
