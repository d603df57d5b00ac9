import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../app/adapters/system-clock.ts';
import { onStopSignals } from '../../app/adapters/system-process.ts';
import { randomIds } from '../../app/adapters/this-machine.ts';
import type { Config } from '../../app/config/load.ts';
import { mustPlaceOrders, validateConfig } from '../../app/config/validate.ts';
import { Interrupted } from '../../app/doctor/heartbeat.ts';
import { openExchange } from '../../app/exchange/open-exchange.ts';
import { holdAccount } from '../../app/prove/hold-account.ts';
import { pageOf } from '../../app/prove/page.ts';
import { keepProof, proofBeside } from '../../app/prove/proof-file.ts';
import { isProven, prove, PROVE_REQUESTS, type ProveReport } from '../../app/prove/prove.ts';
import { WireWatch } from '../../app/prove/wire-watch.ts';
import { EXIT } from '../../app/run/exit-codes.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { sport } from '../../domain/ids.ts';
import { toMicros } from '../../domain/money.ts';
import { configRead, type ExchangeOptions } from '../input/exchange-command.ts';
import { complain } from '../output/complain.ts';

export interface ProveCommandOptions extends ExchangeOptions {
  readonly out?: string;
  readonly live?: boolean;
}

/** What `touchline prove` does. */
export async function runProve(options: ProveCommandOptions): Promise<void> {
  const { config, limits } = await validateConfig(await configRead(options));
  // Paper places no order, so it may look while a daemon trades. Whoever says --live wants orders, and is told.
  if (config.mode === 'paper' && options.live !== true) return proven(config, options);
  mustPlaceOrders(config, options.live === true, 'these orders');
  const { minStakeUsdt } = config.orders;
  if (minStakeUsdt > limits.order.maxStakeUsdt)
    throw new TouchlineError(
      'usage',
      `orders.minStakeUsdt (${minStakeUsdt}) is above risk.order.maxStakeUsdt (${limits.order.maxStakeUsdt})`,
    );
  const release = await holdAccount(config, systemClock);
  try {
    await proven(config, options);
  } finally {
    release();
  }
}

async function proven(config: Config, { json, out }: ProveCommandOptions): Promise<void> {
  const wire = new WireWatch();
  await using exchange = openExchange(config, process.env, PROVE_REQUESTS, wire.take);
  const { signal, leave } = signals();
  try {
    const report = await prove(exchange, {
      observesOnly: config.mode === 'paper',
      clock: systemClock,
      ids: randomIds,
      wire,
      signal,
      sports: config.universe.sports.map(sport),
      stakeMicros: toMicros(config.orders.minStakeUsdt),
    });
    const file = proofBeside(config.journal.path === '' ? '' : resolve(config.journal.path));
    if (file !== null) keepProof(file, report);
    print(report, json === true, out);
    process.exitCode = isProven(report) ? EXIT.ok : EXIT.failure;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    await complain(error);
    process.exitCode = codeOf(error.signal);
  } finally {
    leave();
  }
}

function print(report: ProveReport, json: boolean, out: string | undefined): void {
  if (out !== undefined) writeFileSync(out, pageOf(report));
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (out === undefined) process.stdout.write(pageOf(report));
}

const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** A first signal ends the measurements, and then all that they opened. A second one does not wait for that. */
function signals(): { readonly signal: AbortSignal; readonly leave: () => void } {
  const stop = new AbortController();
  const leave = onStopSignals(
    systemClock,
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    (name) => stop.abort(name),
    () => process.exit(codeOf(stop.signal.reason as NodeJS.Signals)),
  );
  return { signal: stop.signal, leave };
}
