import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { PRICES } from './ladder.ts';
import { offeredKind } from './order-terms.ts';
import type { Act } from './plan.ts';
import type { World } from './world.ts';
import { riskBehind } from '../support/inputs.ts';

type Misquote = Extract<Act, { do: 'misquote' }>;

/** For a while the strategy of the present run is wrong about prices: risk is shown other quotes than it wanted. */
export function misquote({ run, clock }: World, { side, byTicks, forS }: Misquote): void {
  if (run?.started !== true) return;
  const risk = riskBehind(run.composed.core);
  const admit = risk.admit.bind(risk);
  const untilMs = clock.monotonicMs() + forS * 1000;
  const misquoted: typeof admit = (selections, intents) =>
    admit(selections, clock.monotonicMs() < untilMs ? misread(intents, side, byTicks) : intents);
  Object.assign(risk, { admit: misquoted });
}

/** The quotes of a strategy that is wrong: one side, this many ticks better for us. */
function misread(intents: readonly QuoteIntent[], side: string, byTicks: number): readonly QuoteIntent[] {
  const up = ({ direction, priceKind }: QuoteIntent): number =>
    (priceKind ?? offeredKind(direction, 'lay')).startsWith('lay-') ? -byTicks : byTicks;
  const moved = (intent: QuoteIntent): number =>
    Math.min(PRICES.length - 1, Math.max(0, intent.tick + up(intent)));
  return intents
    .filter(({ direction }) => direction === side)
    .map((intent) => ({ ...intent, tick: moved(intent) }));
}
