import process from 'node:process';
import type { Command } from 'commander';
import { TERMINAL } from '../../../lib/formats.ts';
import { systemClock } from '../../../app/adapters/system-clock.ts';
import { randomIds } from '../../../app/adapters/this-machine.ts';
import type { SmokeStep } from '../../../app/first-steps/smoke.ts';
import { TouchlineError } from '../../../domain/errors.ts';
import { sport } from '../../../domain/ids.ts';
import { toMicros } from '../../../domain/money.ts';
import { parsePositive } from '../../input/arguments.ts';
import { configRead, exchangeCommand, type ExchangeOptions } from '../../input/exchange-command.ts';
import { jsonText } from '../../output/output.ts';

interface SmokeCommandOptions extends ExchangeOptions {
  readonly maxLoss: number;
  readonly live?: boolean;
}

/** `touchline smoke`: the first order on an account, which nobody takes. */
export function smokeCommand(): Command {
  return exchangeCommand(
    'smoke',
    'place one small order far from the market, see it on the stream, close it, and compare the money',
  )
    .requiredOption(
      '--max-loss <usdt>',
      'stake of the order, which is the most that it can lose',
      parsePositive,
    )
    .option('--live', 'allow real money; needs mode = "live" in the configuration as well')
    .action(run);
}

async function run(options: SmokeCommandOptions): Promise<void> {
  const { mustPlaceOrders, validateConfig } = await import('../../../app/config/validate.ts');
  const { openExchange } = await import('../../../app/exchange/open-exchange.ts');
  const { smoke, SMOKE_REQUESTS } = await import('../../../app/first-steps/smoke.ts');
  const { config, limits } = await validateConfig(await configRead(options));
  mustPlaceOrders(config, options.live === true, 'this order');
  const { maxStakeUsdt } = limits.order;
  if (options.maxLoss > maxStakeUsdt)
    throw new TouchlineError(
      'usage',
      `--max-loss ${options.maxLoss} is above risk.order.maxStakeUsdt (${maxStakeUsdt})`,
    );
  await using exchange = openExchange(config, process.env, SMOKE_REQUESTS);
  const steps: SmokeStep[] = [];
  const sports = config.universe.sports.map(sport);
  const maxLossMicros = toMicros(options.maxLoss);
  for await (const step of smoke(exchange, { sports, maxLossMicros, clock: systemClock, ids: randomIds })) {
    steps.push(step);
    if (options.json !== true) process.stdout.write(`${lineOf(step)}\n`);
  }
  if (options.json === true) process.stdout.write(`${jsonText(steps)}\n`);
}

const lineOf = ({ step, found, tookMs }: SmokeStep): string =>
  `ok   ${step.padEnd(8)} ${found} (${TERMINAL.whole(tookMs)} ms)`;
