import type { EventName } from '../domain/events.ts';
import type { ExchangePrices } from '../domain/exchange-prices.ts';
import { MODES } from '../domain/mode.ts';
import { toMicros } from '../domain/money.ts';
import type { PriceConvention } from '../domain/odds.ts';
import type { Core } from '../engine/core.ts';
import { ConventionWatch, type ConventionWatchParts } from '../engine/convention/convention-watch.ts';
import { FirstFills, type FirstFillsParts } from '../engine/convention/first-fills.ts';
import { isFresh, provenDirections, recordedConvention } from '../engine/convention/journalled.ts';
import { configuredConvention, secondSideOf } from '../engine/convention/settings.ts';
import type { EngineParts } from '../engine/engine.ts';
import type { Journal } from '../ports/journal.ts';
import type { Config } from './config/load.ts';
import { lastProof, proofBeside } from './prove/proof-file.ts';

/** How orders against a selection go out, by configuration and the last proof on the account. */
export const secondSideIn = ({ exchange, journal }: Pick<Config, 'exchange' | 'journal'>) =>
  secondSideOf(exchange.secondSide, lastProof(proofBeside(journal.path))?.visible ?? null);

type Wiring = Omit<
  ConventionWatchParts,
  'configured' | 'recorded' | 'isFresh' | 'secondSide' | 'settleMs' | 'setPrices' | 'risk'
> &
  Pick<FirstFillsParts, 'orders'> & {
    readonly core: Core;
    /** Learns what the prices are, from the start on. */
    readonly onPrices?: ((prices: ExchangePrices) => void) | undefined;
  };

/** These parts prove the exchange's prices while a daemon runs. */
export function conventionParts(
  config: Config,
  wiring: Wiring,
): Pick<EngineParts, 'convention' | 'firstFills'> {
  const { journal, core, onPrices } = wiring;
  const { market, risk } = core;
  const convention = new ConventionWatch({
    ...wiring,
    risk,
    configured: configuredConvention(config.exchange.againstPrices),
    secondSide: secondSideIn(config),
    recorded: recordedConvention(journal),
    isFresh: isFresh(journal),
    settleMs: config.market.staleAfterS * 1000,
    setPrices(prices) {
      onPrices?.(prices);
      core.apply({ kind: 'prices', prices });
    },
  });
  onPrices?.(convention.prices);
  const firstFills = new FirstFills({
    ...wiring,
    risk,
    isOn: isChecked(config),
    proven: provenDirections(journal),
    minStakeMicros: toMicros(config.orders.minStakeUsdt),
    convention: () => convention.prices.convention,
    hasScores: (event: EventName) =>
      risk.hasScores(event.sport) && market.event(event)?.event.eventType !== OUTRIGHT,
  });
  return { convention, firstFills };
}

/** The convention that a start presumes; null if the stream has to prove it first. */
export function presumedConvention(config: Config, journal: Journal): PriceConvention | null {
  const recorded = recordedConvention(journal);
  const proven = recorded?.how === 'stream' ? recorded.convention : null;
  return configuredConvention(config.exchange.againstPrices) ?? proven;
}

/** On a simulated exchange whose prices a person named, nothing is left to find out. */
const isChecked = ({ mode, exchange }: Config): boolean =>
  MODES[mode].real.exchange || exchange.againstPrices === 'auto';

const OUTRIGHT = 'multirunner';
