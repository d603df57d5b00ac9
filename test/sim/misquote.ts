import { map } from 'rxjs';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import type { StrategyAnswer } from '../../src/strategy/host.ts';
import { PRICES } from './ladder.ts';
import type { Act } from './plan.ts';
import type { World } from './world.ts';

type Misquote = Extract<Act, { do: 'misquote' }>;

/** For a while the strategy of the present run is wrong about prices. */
export function misquote({ run, clock }: World, { side, byTicks, forS }: Misquote): void {
  if (run?.started !== true) return;
  const { strategies } = run.composed.parts;
  const quotes = strategies.quotes.bind(strategies);
  const untilMs = clock.monotonicMs() + forS * 1000;
  const misquoted: typeof quotes = (viewed$) =>
    quotes(viewed$).pipe(
      map((quoted) =>
        clock.monotonicMs() < untilMs ? { ...quoted, ...misread(quoted, side, byTicks) } : quoted,
      ),
    );
  Object.assign(strategies, { quotes: misquoted });
}

/** The quotes of a strategy that is wrong: one side, this many ticks better for us. */
function misread({ intents, problems }: StrategyAnswer, side: string, byTicks: number): StrategyAnswer {
  const up = side === 'for' ? byTicks : -byTicks;
  const moved = ({ tick }: QuoteIntent): number => Math.min(PRICES.length - 1, Math.max(0, tick + up));
  const wanted = intents
    .filter(({ direction }) => direction === side)
    .map((intent) => ({ ...intent, tick: moved(intent) }));
  return { intents: wanted, problems };
}
